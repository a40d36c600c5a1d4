// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/zeroshot/set.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/annotations/coco/coco_instances.h"
#include "snellen/base/files.h"
#include "snellen/formats/csv.h"

namespace snellen::tasks {

namespace fs = std::filesystem;

std::vector<fs::path> entries_of(const fs::path& folder, bool wants_folders) {
  std::error_code problem;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    const bool is_hidden = entry.path().filename().string().starts_with('.');
    if (!is_hidden && (wants_folders ? entry.is_directory() : entry.is_regular_file()))
      entries.push_back(entry.path());
  }
  if (problem) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be read: {}", problem.message()),
                folder.string(),
                "give a folder of folders of pictures, one a class"};
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

// Class numbers by folder name.
std::map<std::string, uint32_t> read_classes(const fs::path& path, ZeroshotSet& set) {
  const auto rows = formats::parse_csv(read_text_file(path), path.string());
  auto column = [&](std::string_view name) {
    const auto found = rows.empty() ? std::vector<std::string>::const_iterator()
                                    : std::find(rows[0].begin(), rows[0].end(), name);
    if (rows.empty() || found == rows[0].end()) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("has no column '{}'", name),
                  path.string(),
                  "write a header row folder,class"};
    }
    return static_cast<size_t>(found - rows[0].begin());
  };
  const size_t folder = column("folder");
  const size_t name = column("class");
  std::map<std::string, uint32_t> numbers;
  for (size_t i = 1; i < rows.size(); ++i) {
    const bool is_whole = rows[i].size() > std::max(folder, name) && !rows[i][name].empty();
    if (!is_whole ||
        !numbers.emplace(rows[i][folder], static_cast<uint32_t>(set.classes.size())).second) {
      throw Error{ErrorCode::kInvalidInput,
                  "is short, or names a folder twice",
                  fmt::format("{}: row {}", path.string(), i + 1),
                  "give each folder one row"};
    }
    set.classes.push_back(rows[i][name]);
  }
  return numbers;
}

void require_pictures(const ZeroshotSet& set, const fs::path& where) {
  if (!set.pictures.empty()) return;
  throw Error{ErrorCode::kInvalidInput,
              "holds no picture of a class",
              where.string(),
              "give a folder of folders of pictures, --ground-truth with a folder of all, or "
              "--instances with --root-image-dir"};
}

ZeroshotSet zeroshot_set(const ZeroshotSettings& settings, const fs::path& images) {
  if (!settings.mapping.empty() && settings.ground_truth.empty())
    throw Error{ErrorCode::kUsage,
                "a mapping belongs to a ground truth by number",
                "--mapping",
                "name the file with --ground-truth"};
  if (!settings.ground_truth.empty())
    return zeroshot_flat(images, settings.ground_truth, settings.mapping, settings.classes);
  if (settings.instances.empty()) return zeroshot_folders(images, settings.classes);
  return zeroshot_instances(settings.instances,
                            images,
                            settings.right == "largest" ? RightClass::kLargest : RightClass::kAny);
}

ZeroshotSet zeroshot_folders(const fs::path& folder, const fs::path& classes) {
  ZeroshotSet set;
  std::map<std::string, uint32_t> numbers;
  if (!classes.empty()) numbers = read_classes(classes, set);
  for (const fs::path& of_class : entries_of(folder, /*wants_folders=*/true)) {
    std::string name = of_class.filename().string();
    auto known = numbers.find(name);
    if (known == numbers.end() && !classes.empty()) {
      set.bad_records.push_back(Error{ErrorCode::kInvalidInput,
                                      "is no class of " + classes.filename().string(),
                                      of_class.string(),
                                      "add a row for it"});
      continue;
    }
    if (known == numbers.end()) {
      known = numbers.emplace(name, static_cast<uint32_t>(set.classes.size())).first;
      std::replace(name.begin(), name.end(), '_', ' ');
      set.classes.push_back(name);
    }
    for (fs::path& picture : entries_of(of_class, /*wants_folders=*/false))
      set.pictures.push_back({std::move(picture), {known->second}});
  }
  require_pictures(set, folder);
  return set;
}

ZeroshotSet zeroshot_instances(const fs::path& instances,
                               const fs::path& images,
                               RightClass right) {
  const annotations::CocoInstances coco(instances);
  ZeroshotSet set;
  set.bad_records = coco.bad_records();
  std::map<int64_t, uint32_t> numbers;
  for (const auto& [id, name] : coco.categories()) {
    numbers.emplace(id, static_cast<uint32_t>(set.classes.size()));
    set.classes.push_back(name);
  }
  for (size_t i = 0; i < coco.images().size(); ++i) {
    std::map<uint32_t, double> areas;
    for (const uint32_t position : coco.instances_of(i)) {
      const Result<annotations::CocoInstance> one = coco.instance(position);
      if (!one) {
        set.bad_records.push_back(one.error());
        continue;
      }
      areas[numbers.at(one->category_id)] += one->box[2] * one->box[3];
    }
    if (areas.empty()) continue;
    ZeroshotPicture picture{images / coco.images()[i].file_name, {}};
    const auto largest =
        std::max_element(areas.begin(), areas.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        });
    for (const auto& [number, area] : areas) {
      if (right == RightClass::kAny || number == largest->first) picture.right.push_back(number);
    }
    set.pictures.push_back(std::move(picture));
  }
  require_pictures(set, instances);
  return set;
}

std::vector<std::string> zeroshot_prompts(const std::string& name,
                                          const std::vector<std::string>& templates) {
  std::vector<std::string> prompts;
  for (const std::string& one : templates) {
    const size_t place = one.find("{}");
    SNELLEN_CHECK(place != std::string::npos);
    prompts.push_back(one.substr(0, place) + name + one.substr(place + 2));
  }
  return prompts;
}

std::vector<std::string> read_templates(const fs::path& path) {
  const std::string text = read_text_file(path);
  std::vector<std::string> templates;
  size_t line = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string one = text.substr(at, end - at);
    at = end + 1;
    ++line;
    if (one.ends_with('\r')) one.pop_back();
    if (one.empty()) continue;
    const size_t place = one.find("{}");
    if (place == std::string::npos || one.find("{}", place + 1) != std::string::npos) {
      throw Error{ErrorCode::kInvalidInput,
                  "does not hold {} once",
                  fmt::format("{}: line {}", path.string(), line),
                  "write templates as a photo of a {}."};
    }
    templates.push_back(std::move(one));
  }
  if (templates.empty())
    throw Error{ErrorCode::kInvalidInput, "holds no template", path.string(), "one a line"};
  return templates;
}

}  // namespace snellen::tasks
