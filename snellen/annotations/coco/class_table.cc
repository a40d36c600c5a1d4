// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/coco/class_table.h"

#include <array>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/csv.h"

namespace snellen::annotations {
namespace {

struct CocoClass {
  std::string_view name;
  std::string_view category;
};

constexpr std::array kCoco = {
    CocoClass{"person", "person"},
    CocoClass{"bicycle", "vehicle"},
    CocoClass{"car", "vehicle"},
    CocoClass{"motorcycle", "vehicle"},
    CocoClass{"airplane", "vehicle"},
    CocoClass{"bus", "vehicle"},
    CocoClass{"train", "vehicle"},
    CocoClass{"truck", "vehicle"},
    CocoClass{"boat", "vehicle"},
    CocoClass{"traffic light", "outdoor"},
    CocoClass{"fire hydrant", "outdoor"},
    CocoClass{"stop sign", "outdoor"},
    CocoClass{"parking meter", "outdoor"},
    CocoClass{"bench", "outdoor"},
    CocoClass{"bird", "animal"},
    CocoClass{"cat", "animal"},
    CocoClass{"dog", "animal"},
    CocoClass{"horse", "animal"},
    CocoClass{"sheep", "animal"},
    CocoClass{"cow", "animal"},
    CocoClass{"elephant", "animal"},
    CocoClass{"bear", "animal"},
    CocoClass{"zebra", "animal"},
    CocoClass{"giraffe", "animal"},
    CocoClass{"backpack", "accessory"},
    CocoClass{"umbrella", "accessory"},
    CocoClass{"handbag", "accessory"},
    CocoClass{"tie", "accessory"},
    CocoClass{"suitcase", "accessory"},
    CocoClass{"frisbee", "sports"},
    CocoClass{"skis", "sports"},
    CocoClass{"snowboard", "sports"},
    CocoClass{"sports ball", "sports"},
    CocoClass{"kite", "sports"},
    CocoClass{"baseball bat", "sports"},
    CocoClass{"baseball glove", "sports"},
    CocoClass{"skateboard", "sports"},
    CocoClass{"surfboard", "sports"},
    CocoClass{"tennis racket", "sports"},
    CocoClass{"bottle", "kitchen"},
    CocoClass{"wine glass", "kitchen"},
    CocoClass{"cup", "kitchen"},
    CocoClass{"fork", "kitchen"},
    CocoClass{"knife", "kitchen"},
    CocoClass{"spoon", "kitchen"},
    CocoClass{"bowl", "kitchen"},
    CocoClass{"banana", "food"},
    CocoClass{"apple", "food"},
    CocoClass{"sandwich", "food"},
    CocoClass{"orange", "food"},
    CocoClass{"broccoli", "food"},
    CocoClass{"carrot", "food"},
    CocoClass{"hot dog", "food"},
    CocoClass{"pizza", "food"},
    CocoClass{"donut", "food"},
    CocoClass{"cake", "food"},
    CocoClass{"chair", "furniture"},
    CocoClass{"couch", "furniture"},
    CocoClass{"potted plant", "furniture"},
    CocoClass{"bed", "furniture"},
    CocoClass{"dining table", "furniture"},
    CocoClass{"toilet", "fixture"},
    CocoClass{"tv", "electronic"},
    CocoClass{"laptop", "electronic"},
    CocoClass{"mouse", "electronic"},
    CocoClass{"remote", "electronic"},
    CocoClass{"keyboard", "electronic"},
    CocoClass{"cell phone", "electronic"},
    CocoClass{"microwave", "appliance"},
    CocoClass{"oven", "appliance"},
    CocoClass{"toaster", "appliance"},
    CocoClass{"sink", "fixture"},
    CocoClass{"refrigerator", "appliance"},
    CocoClass{"book", "indoor"},
    CocoClass{"clock", "indoor"},
    CocoClass{"vase", "indoor"},
    CocoClass{"scissors", "indoor"},
    CocoClass{"teddy bear", "indoor"},
    CocoClass{"hair drier", "indoor"},
    CocoClass{"toothbrush", "indoor"},
};

constexpr std::string_view kPromptStart = "A photo of a ";

std::string class_in_prompt(std::string_view prompt, std::string_view where) {
  if (!prompt.starts_with(kPromptStart) || !prompt.ends_with('.')) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("prompt '{}' is not '{}{{class}}.', from which --compat takes the class",
                    prompt,
                    kPromptStart),
        std::string(where),
        "leave --compat out to take the class from its own column"};
  }
  prompt.remove_prefix(kPromptStart.size());
  prompt.remove_suffix(1);
  return std::string(prompt);
}

}  // namespace

ClassTable::ClassTable(std::vector<ObjectClass> classes) : classes_(std::move(classes)) {
  for (size_t i = 0; i < classes_.size(); ++i) {
    if (!places_.emplace(classes_[i].name, i).second) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("class '{}' is listed twice", classes_[i].name)};
    }
  }
}

ClassTable ClassTable::coco() {
  std::vector<ObjectClass> classes;
  classes.reserve(kCoco.size());
  for (const CocoClass& one : kCoco)
    classes.push_back({std::string(one.name), fmt::format("{}{}.", kPromptStart, one.name)});
  return ClassTable(std::move(classes));
}

ClassTable ClassTable::from_csv(const std::filesystem::path& path, bool from_prompt) {
  auto rows = formats::parse_csv(read_text_file(path), path.string());
  auto column = [&](std::string_view name) -> size_t {
    for (size_t i = 0; !rows.empty() && i < rows[0].size(); ++i) {
      if (rows[0][i] == name) return i;
    }
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("has no column '{}'", name),
                path.string(),
                "the first row names the columns, among them class and prompt"};
  };
  size_t class_column = column("class");
  size_t prompt_column = column("prompt");
  std::vector<ObjectClass> classes;
  for (size_t i = 1; i < rows.size(); ++i) {
    std::string where = fmt::format("{}: row {}", path.string(), i + 1);
    if (rows[i].size() <= std::max(class_column, prompt_column)) {
      throw Error{
          ErrorCode::kInvalidInput, fmt::format("has {} fields, too few", rows[i].size()), where};
    }
    const std::string& prompt = rows[i][prompt_column];
    classes.push_back(
        {from_prompt ? class_in_prompt(prompt, where) : rows[i][class_column], prompt});
  }
  if (classes.empty()) throw Error{ErrorCode::kInvalidInput, "lists no class", path.string()};
  try {
    return ClassTable(std::move(classes));
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

std::optional<size_t> ClassTable::find(std::string_view name) const {
  auto place = places_.find(name);
  if (place == places_.end()) return std::nullopt;
  return place->second;
}

std::string_view object_category(std::string_view class_name) {
  for (const CocoClass& one : kCoco) {
    if (one.name == class_name) return one.category;
  }
  return "other";
}

}  // namespace snellen::annotations
