// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/run_shelf.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/report/pages/report_input.h"
#include "snellen/viewer/to_json.h"

namespace snellen::viewer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto kLookEvery = std::chrono::seconds(2);
constexpr size_t kMostOpen = 12;

Json text_of(const report::StoredRun& run, const char* key) {
  const Json& value = run.stamped({key});
  return value.is_string() ? value : Json();
}

constexpr size_t kMostRungs = 100;

// Folders below RUN/control that hold a run, by name.
std::vector<fs::path> rung_folders(const fs::path& run) {
  std::vector<fs::path> found;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(run / "control", problem)) {
    std::error_code ignored;
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored) &&
        fs::is_regular_file(entry.path() / "run.json", ignored) && found.size() < kMostRungs)
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

RunShelf::RunShelf(std::vector<fs::path> places, fs::path index_folder)
    : places_(std::move(places)), index_folder_(std::move(index_folder)) {
  std::lock_guard lock(mutex_);
  look_again();
}

void RunShelf::look_again() {
  const auto now = std::chrono::steady_clock::now();
  if (looked_ != decltype(looked_){} && now - looked_ < kLookEvery) return;
  looked_ = now;
  std::map<std::string, Known> found;
  for (const fs::path& place : places_) {
    const fs::path root = fs::absolute(place).lexically_normal();
    for (const fs::path& folder : report::find_run_folders(root)) {
      const fs::path relative = folder.lexically_relative(root);
      std::string id = relative == "." ? folder.filename().string() : relative.generic_string();
      if (id.empty()) id = folder.parent_path().filename().string();
      // Two places may hold folders of one name.
      const std::string first = id;
      for (int i = 2; found.contains(id) && found.at(id).folder != folder; ++i)
        id = fmt::format("{} ({})", first, i);
      auto add = [&](const std::string& name, const fs::path& where) -> Known& {
        const auto known = runs_.find(name);
        const bool is_known = known != runs_.end() && known->second.folder == where;
        return found.emplace(name, is_known ? std::move(known->second) : Known{.folder = where})
            .first->second;
      };
      std::vector<std::string> rungs;
      for (const fs::path& rung : rung_folders(folder)) {
        rungs.push_back(fmt::format("{}/control/{}", id, rung.filename().string()));
        add(rungs.back(), rung).clean = id;
      }
      add(id, folder).rungs = std::move(rungs);
    }
  }
  runs_ = std::move(found);
}

Json RunShelf::summary_of(const std::string& id, Known& known) {
  const store::RunPaths paths(known.folder);
  const std::string version = version_of(paths);
  if (!known.summary.is_null() && version == known.version) return known.summary;
  Json json = {{"id", id}, {"name", known.folder.filename().string()}};
  Json missing = Json::array();
  report::StoredRun stored{.paths = paths, .stamp = Json::object(), .verdict = "unknown"};
  try {
    stored = report::read_stored_run(known.folder);
  } catch (const Error& error) {
    missing.push_back(fmt::format("run.json: {}", error.message()));
  }
  json["model"] = stored.model.empty() ? known.folder.filename().string() : stored.model;
  json["verdict"] = stored.verdict;
  json["started"] = text_of(stored, "started");
  json["finished"] = text_of(stored, "finished");
  json["counts"] = stored.stamped({"counts"});
  json["headline"] = Json::array();
  try {
    const store::Results results = store::read_results(paths.results());
    std::map<std::string, const metrics::Measurement*> by_id;
    for (const metrics::Measurement& one : results.metrics) by_id.emplace(one.id, &one);
    for (const std::string& headline : report::headline_ids(results)) {
      Json metric = measurement_json(*by_id.at(headline));
      if (const auto chance = by_id.find(headline + "_chance"); chance != by_id.end())
        metric["chance"] = chance->second->value;
      json["headline"].push_back(std::move(metric));
    }
  } catch (const Error& error) {
    if (stored.is_finished() || stored.verdict == "unknown")
      missing.push_back(fmt::format("results.json: {}", error.message()));
  }
  std::error_code ignored;
  if (!fs::exists(paths.samples(), ignored))
    missing.push_back("samples.db is missing: items cannot be shown");
  json["missing"] = std::move(missing);
  known.version = version;
  known.summary = json;
  return json;
}

Json RunShelf::list() {
  std::lock_guard lock(mutex_);
  look_again();
  Json runs = Json::array();
  for (auto& [id, known] : runs_) {
    if (!known.clean.empty()) continue;
    Json summary = summary_of(id, known);
    summary["rungs"] = known.rungs;
    runs.push_back(std::move(summary));
  }
  return runs;
}

Json RunShelf::summary(const std::string& id) {
  std::lock_guard lock(mutex_);
  look_again();
  const auto found = runs_.find(id);
  if (found == runs_.end())
    throw Error{ErrorCode::kNotFound, fmt::format("no run is called '{}'", id.substr(0, 200))};
  Json summary = summary_of(id, found->second);
  summary["rungs"] = found->second.rungs;
  return summary;
}

std::shared_ptr<ViewedRun> RunShelf::run(const std::string& id) {
  std::lock_guard lock(mutex_);
  auto found = runs_.find(id);
  if (found == runs_.end()) {
    look_again();
    found = runs_.find(id);
  }
  if (found == runs_.end())
    throw Error{ErrorCode::kNotFound, fmt::format("no run is called '{}'", id.substr(0, 200))};
  std::shared_ptr<ViewedRun>& open = found->second.open;
  if (open && open->is_current()) return open;
  // The longest list of open runs is bounded: each holds columns and a database.
  size_t num_open = 0;
  for (auto& [other, known] : runs_) num_open += known.open != nullptr;
  for (auto& [other, known] : runs_) {
    if (num_open < kMostOpen) break;
    if (known.open && known.open.use_count() == 1) {
      known.open.reset();
      --num_open;
    }
  }
  try {
    open = std::make_shared<ViewedRun>(id, found->second.folder, index_folder_);
  } catch (const Error&) {
    std::error_code problem;
    const auto size = fs::file_size(store::RunPaths(found->second.folder).samples(), problem);
    const bool has_rows = !problem && size > 0;
    if (has_rows || summary_of(id, found->second)["verdict"] != "running") throw;
    throw Error{ErrorCode::kBusy, "the run has just begun, and no item is there yet"};
  }
  return open;
}

std::vector<std::string> RunShelf::ids_of_model(const std::string& model) {
  std::vector<std::string> ids;
  std::lock_guard lock(mutex_);
  for (auto& [id, known] : runs_) {
    if (known.clean.empty() && summary_of(id, known)["model"] == model) ids.push_back(id);
  }
  return ids;
}

RunShelf::Family RunShelf::family_of(const std::string& id) {
  std::lock_guard lock(mutex_);
  auto found = runs_.find(id);
  if (found == runs_.end()) return {.clean = id, .rungs = {}};
  if (!found->second.clean.empty()) found = runs_.find(found->second.clean);
  if (found == runs_.end()) return {.clean = id, .rungs = {}};
  return {found->first, found->second.rungs};
}

std::vector<std::string> RunShelf::named() {
  std::vector<std::string> ids;
  std::lock_guard lock(mutex_);
  for (const fs::path& place : places_) {
    const fs::path root = fs::absolute(place).lexically_normal();
    const auto found = std::find_if(
        runs_.begin(), runs_.end(), [&](const auto& one) { return one.second.folder == root; });
    if (found == runs_.end()) return {};
    ids.push_back(found->first);
  }
  return ids;
}

fs::path RunShelf::folder(const std::string& id) {
  std::lock_guard lock(mutex_);
  const auto found = runs_.find(id);
  if (found == runs_.end())
    throw Error{ErrorCode::kNotFound, fmt::format("no run is called '{}'", id.substr(0, 200))};
  return found->second.folder;
}

}  // namespace snellen::viewer
