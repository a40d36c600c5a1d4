// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/formats/json.h"

namespace snellen::tasks::vilma {
namespace {

using Json = nlohmann::json;

// One row being read; knows its place for messages.
class RowReader {
 public:
  RowReader(const Json& row, std::string where) : row_(row), where_(std::move(where)) {
    if (!row_.is_object()) fail("is not an object");
  }

  std::string text(const char* key) const {
    if (!row_.contains(key)) fail(fmt::format("key '{}' is missing", key));
    if (!row_[key].is_string()) fail(fmt::format("'{}' is not a text", key));
    return row_[key].get<std::string>();
  }

  std::string optional_text(const char* key) const {
    return row_.contains(key) ? text(key) : std::string();
  }

  std::vector<std::string> texts(const char* key) const {
    if (row_.contains(key) && row_[key].is_array() && !row_[key].empty()) {
      std::vector<std::string> all;
      for (const Json& one : row_[key]) {
        if (!one.is_string()) fail(fmt::format("'{}' holds something that is not a text", key));
        all.push_back(one.get<std::string>());
      }
      return all;
    }
    return {text(key)};
  }

  metrics::FoilMode mode() const {
    const std::string name = text("mode");
    const auto mode = metrics::foil_mode_of(name);
    if (!mode) fail(fmt::format("unknown mode '{}': similarity, probability or perplexity", name));
    return *mode;
  }

 private:
  [[noreturn]] void fail(std::string what) const {
    throw Error{ErrorCode::kInvalidInput,
                std::move(what),
                where_,
                "a row is {\"case\", \"annotation\", \"mode\", \"main\", \"prof\"}"};
  }

  const Json& row_;
  std::string where_;
};

Json parse_suite(const std::filesystem::path& file) {
  Json json = formats::parse_json(read_text_file(file));
  if (json.is_object() && json.contains("inputs")) json = Json(std::move(json["inputs"]));
  if (!json.is_array() || json.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                "is not a list of rows, nor an object with such a list under 'inputs'",
                file.string(),
                "see docs/metrics/vilma.md"};
  }
  return json;
}

}  // namespace

std::vector<SuiteRow> read_suite_rows(const std::filesystem::path& file,
                                      const std::filesystem::path& annotation_folder) {
  const Json json = parse_suite(file);
  const std::filesystem::path beside = file.parent_path();
  const std::filesystem::path folder = annotation_folder.empty() ? beside : annotation_folder;
  std::vector<SuiteRow> rows;
  for (const Json& one : json) {
    const RowReader reader(one, fmt::format("{}: row {}", file.string(), rows.size()));
    SuiteRow row;
    const std::vector<std::string> names = reader.texts("annotation");
    for (const std::string& name : names) {
      const bool is_beside =
          !std::filesystem::exists(folder / name) && std::filesystem::exists(beside / name);
      row.annotations.push_back((is_beside ? beside : folder) / name);
    }
    row.annotation = fmt::format("{}", fmt::join(names, ", "));
    row.name = reader.optional_text("case");
    if (row.name.empty()) row.name = row.annotations[0].stem().string();
    row.mode = reader.mode();
    row.main = beside / reader.text("main");
    row.proficiency = beside / reader.text("prof");
    row.task = reader.optional_text("task");
    row.subtask = reader.optional_text("subtask");
    rows.push_back(std::move(row));
  }
  return rows;
}

annotations::VilmaPlace place_of(const SuiteRow& row, const EvaluatedItems& evaluated) {
  annotations::VilmaPlace place = evaluated.places.at(0);
  for (const annotations::VilmaPlace& other : evaluated.places) {
    if (other.task != place.task) place.task.clear();
    if (other.subtask != place.subtask) place.subtask.clear();
  }
  if (!row.task.empty()) place.task = row.task;
  if (!row.subtask.empty()) place.subtask = row.subtask;
  if (place.subtask.empty()) place.subtask = row.name;
  if (!place.task.empty()) return place;
  throw Error{ErrorCode::kInvalidInput,
              "cannot tell which ViLMA task this row belongs to",
              fmt::format("suite row '{}' ({})", row.name, row.annotation),
              "name it in the row: \"task\": \"spatial_relations\""};
}

}  // namespace snellen::tasks::vilma
