// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/vilma_results_writer.h"

#include <unordered_map>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/formats/json_elements.h"
#include "snellen/formats/python_json_parser.h"

namespace snellen::annotations {

VilmaResultsWriter::VilmaResultsWriter(std::filesystem::path path, VilmaLayout layout)
    : file_(std::move(path)), layout_(layout) {
  file_.write("{");
}

void VilmaResultsWriter::add(std::string_view id, std::span<const double> scores) {
  const bool is_indented = layout_ == VilmaLayout::kIndent4;
  std::string entry = is_indented ? "{\n        \"scores\": [" : "{\"scores\": [";
  for (size_t i = 0; i < scores.size(); ++i) {
    if (i > 0) entry += is_indented ? "," : ", ";
    if (is_indented) entry += "\n            ";
    append_python_float(entry, scores[i], NonFinite::kToken);
  }
  if (is_indented && !scores.empty()) entry += "\n        ";
  entry += is_indented ? "]\n    }" : "]}";
  add_json(id, entry);
}

void VilmaResultsWriter::add_json(std::string_view id, std::string_view entry) {
  std::string line = is_empty_ ? "\n" : ",\n";
  if (layout_ == VilmaLayout::kIndent4) line += "    ";
  append_python_string(line, id);
  line += ": ";
  line += entry;
  file_.write(line);
  is_empty_ = false;
}

void VilmaResultsWriter::commit() {
  if (layout_ == VilmaLayout::kIndent4) {
    file_.write(is_empty_ ? "}" : "\n}");  // Python ends without a line break
  } else {
    file_.write(is_empty_ ? "}\n" : "\n}\n");
  }
  file_.commit();
}

namespace {

// Which element of which input each merged entry comes from, in the order of the output.
struct MergePlan {
  struct Source {
    size_t file;
    size_t element;
  };
  std::vector<formats::JsonElements> files;
  std::vector<Source> order;
  std::vector<std::string> replaced;
};

Error conflict(std::string_view id,
               const formats::JsonElements& earlier,
               const formats::JsonElements& later) {
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format(
          "id '{}' is in {} and again in {}", id, earlier.path().string(), later.path().string()),
      "merge",
      "never merge results of different tasks; --on-conflict last keeps the later entry"};
}

MergePlan plan_merge(std::span<const std::filesystem::path> inputs, OnConflict on_conflict) {
  MergePlan plan;
  plan.files.reserve(
      inputs.size());  // the keys below are views into the files, which must not move
  std::unordered_map<std::string_view, size_t> place_of;
  for (const std::filesystem::path& path : inputs) {
    const formats::JsonElements& file = plan.files.emplace_back(path);
    if (!file.is_object()) {
      throw Error{ErrorCode::kInvalidInput,
                  "is a list, expected an object of entries by id",
                  path.string(),
                  "give ViLMA results files"};
    }
    for (size_t element = 0; element < file.size(); ++element) {
      const MergePlan::Source source{plan.files.size() - 1, element};
      auto [place, is_new] = place_of.emplace(file.key(element), plan.order.size());
      if (is_new) {
        plan.order.push_back(source);
        continue;
      }
      if (on_conflict == OnConflict::kError) {
        throw conflict(file.key(element), plan.files[plan.order[place->second].file], file);
      }
      plan.order[place->second] = source;
      plan.replaced.emplace_back(file.key(element));
    }
  }
  return plan;
}

}  // namespace

VilmaMerge merge_vilma_results(std::span<const std::filesystem::path> inputs,
                               const std::filesystem::path& output,
                               VilmaLayout layout,
                               OnConflict on_conflict) {
  MergePlan plan = plan_merge(inputs, on_conflict);
  VilmaResultsWriter writer(output, layout);
  formats::PythonJsonParser parser;
  std::string entry;
  for (const MergePlan::Source& source : plan.order) {
    const formats::JsonElements& file = plan.files[source.file];
    const auto value =
        parser.parse(file.element(source.element), file.where(source.element)).value();
    entry.clear();
    formats::append_python_json(
        entry, parser, value, layout == VilmaLayout::kIndent4 ? 4 : 0, /*depth=*/1);
    writer.add_json(file.key(source.element), entry);
  }
  writer.commit();
  return {.num_items = plan.order.size(), .replaced = std::move(plan.replaced)};
}

}  // namespace snellen::annotations
