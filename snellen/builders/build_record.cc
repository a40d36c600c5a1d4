// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/build_record.h"

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/builders/notice.h"
#include "snellen/formats/json.h"

namespace snellen::builders {
namespace {

using Json = nlohmann::ordered_json;

std::string find(const BuildRecord::Entries& entries, std::string_view name) {
  for (const auto& [key, value] : entries) {
    if (key == name) return value;
  }
  return {};
}

BuildRecord::Entries entries_of(const Json& object) {
  BuildRecord::Entries entries;
  for (const auto& [key, value] : object.items()) entries.emplace_back(key, value);
  return entries;
}

}  // namespace

void BuildRecord::write(const std::filesystem::path& folder) const {
  Json json;
  json["schema"] = 1;
  json["builder"] = builder;
  json["options"] = Json::object();
  for (const auto& [key, value] : options) json["options"][key] = value;
  json["sources"] = Json::object();
  for (const auto& [key, value] : sources) json["sources"][key] = value;
  for (const auto& [key, value] : sha256) json["sha256"][key] = value;
  json["counts"] = Json::array();
  for (const Count& count : counts) {
    json["counts"].push_back({{"set", count.set},
                              {"what", count.what},
                              {"ours", count.ours},
                              {"paper", count.paper.empty() ? Json() : Json(count.paper)}});
  }
  json["complete"] = is_complete;
  json["bad_records"] = num_bad_records;
  json["skipped_image_ids"] = skipped_image_ids;
  write_text_file(folder / kBuildRecordName,
                  json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

BuildRecord BuildRecord::read(const std::filesystem::path& folder) {
  std::filesystem::path path = folder / kBuildRecordName;
  const char* hint = "name a folder that snellen build wrote";
  try {
    Json json = formats::parse_ordered_json_object(read_text_file(path), path.string(), hint);
    BuildRecord record;
    record.builder = json.at("builder");
    record.options = entries_of(json.at("options"));
    record.sources = entries_of(json.at("sources"));
    if (json.contains("sha256")) record.sha256 = entries_of(json.at("sha256"));
    record.is_complete = json.at("complete");
    return record;
  } catch (const Json::exception& error) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("is no record of a build: {}", error.what()),
                path.string(),
                hint};
  }
}

std::string BuildRecord::option(std::string_view name) const {
  return find(options, name);
}

std::filesystem::path BuildRecord::source(std::string_view name) const {
  return find(sources, name);
}

std::string BuildRecord::first_difference(const BuildRecord& other) const {
  if (builder != other.builder) return fmt::format("builder: {}, {}", builder, other.builder);
  for (const auto& [key, value] : other.options) {
    if (std::string before = option(key); before != value)
      return fmt::format("{}: '{}', now '{}'", key, before, value);
  }
  for (const auto& [key, value] : other.sources) {
    const std::string digest = find(sha256, key), now = find(other.sha256, key);
    if (!digest.empty() && !now.empty()) {
      if (digest != now) return fmt::format("{}: the content of '{}' has changed", key, value);
    } else if (std::string before = find(sources, key); before != value) {
      return fmt::format("{}: '{}', now '{}'", key, before, value);
    }
  }
  return {};
}

void write_record(BuildRecord record, const std::filesystem::path& folder, BuildReport& report) {
  if (!report.has_items()) {
    for (const std::filesystem::path& file : report.files) std::filesystem::remove(file);
    report.files.clear();
    std::filesystem::remove(folder / kBuildRecordName);
    return;
  }
  record.counts = report.counts;
  record.num_bad_records = report.bad_records.count();
  record.is_complete = true;
  record.write(folder);
  report.files.push_back(folder / kBuildRecordName);
  write_text_file(folder / kNoticeName, notice_of(record.builder));
  report.files.push_back(folder / kNoticeName);
}

}  // namespace snellen::builders
