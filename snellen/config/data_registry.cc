// SPDX-License-Identifier: Apache-2.0
#include "snellen/config/data_registry.h"

#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/file_lock.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"

namespace snellen::config {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;
constexpr size_t kMostBytes = 1 << 20;

}  // namespace

DataRegistry::DataRegistry(fs::path file) : file_(std::move(file)) {
  read();
}

void DataRegistry::read() {
  folders_.clear();
  std::error_code ignored;
  if (file_.empty() || !fs::exists(file_, ignored)) return;
  const char* hint = "fix it, or remove it and use `snellen data add` again";
  const Json json =
      formats::parse_ordered_json_object(read_text_file(file_, kMostBytes), file_.string(), hint);
  const bool is_ours = json.contains("schema") && json.at("schema") == kSchema &&
                       json.contains("folders") && json.at("folders").is_object();
  if (!is_ours)
    throw Error{ErrorCode::kInvalidInput, "is not a data registry", file_.string(), hint};
  for (const auto& [name, folder] : json.at("folders").items()) {
    if (!folder.is_string())
      throw Error{ErrorCode::kInvalidInput,
                  "the folder of '" + name + "' is not a text",
                  file_.string(),
                  hint};
    folders_[name] = folder.get<std::string>();
  }
}

std::optional<fs::path> DataRegistry::find(const std::string& name) const {
  const auto found = folders_.find(name);
  return found == folders_.end() ? std::nullopt : std::optional(found->second);
}

void DataRegistry::set(const std::string& name, const fs::path& folder) {
  change([&] { folders_[name] = fs::absolute(folder).lexically_normal(); });
}

bool DataRegistry::remove(const std::string& name) {
  if (!folders_.contains(name)) return false;
  change([&] { folders_.erase(name); });
  return true;
}

void DataRegistry::change(const std::function<void()>& make) {
  if (file_.empty())
    throw Error{ErrorCode::kNotFound,
                "there is no folder for the user's configuration",
                "data registry",
                "set HOME or XDG_CONFIG_HOME"};
  // What another process added meanwhile stays.
  const FileLock lock(file_.string() + ".lock", "try again");
  read();
  make();
  Json json = {{"schema", kSchema}, {"folders", Json::object()}};
  for (const auto& [name, folder] : folders_) json["folders"][name] = folder.string();
  std::string text;
  try {
    text = json.dump(2) + "\n";
  } catch (const Json::exception&) {
    read();
    throw Error{ErrorCode::kInvalidInput,
                "the folder's name is no UTF-8 text, so the registry cannot keep it",
                file_.string(),
                "rename the folder, or add a link to it that has a plain name"};
  }
  write_text_file(file_, text);
}

}  // namespace snellen::config
