// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/run_files.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/store/samples.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kRecord = "written";

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// As store::small_picture_name and its neighbours name them, and the count beside them.
bool is_kept_picture(const fs::path& name) {
  if (name == "kept.json") return true;
  if (name.extension() != ".jpg" && name.extension() != ".json") return false;
  const std::string stem = name.stem().string();
  const size_t dash = stem.find('-');
  const std::string_view content = std::string_view(stem).substr(0, dash);
  return content.size() == 32 && is_hex(content) &&
         (dash == std::string::npos || is_hex(std::string_view(stem).substr(dash + 1)));
}

// What run.json and samples.db of a folder tell.
class Recorded {
 public:
  explicit Recorded(const store::RunPaths& paths) {
    read_stamp_of(paths);
    read_samples_of(paths);
  }

  bool is_run() const { return is_run_; }
  bool has(const fs::path& relative) const {
    if (files_.contains(relative.generic_string())) return true;
    const fs::path top = *relative.begin();
    if (top == "thumbs")
      return relative == top / relative.filename() && is_kept_picture(relative.filename());
    if (top != "features" || relative != top / relative.filename()) return false;
    const fs::path kind = relative.extension();
    return (kind == ".json" || kind == ".npy") && tasks_.contains(relative.stem().string());
  }

 private:
  void read_stamp_of(const store::RunPaths& paths) {
    try {
      const Json stamp = store::read_stamp(paths);
      const auto identity = stamp.find("identity");
      is_run_ = identity != stamp.end() && stamp.contains("identity_sha256");
      if (!is_run_) return;
      if (const auto files = stamp.find("files"); files != stamp.end() && files->is_object()) {
        for (const auto& [file, hash] : files->items()) files_.insert(file);
      }
      if (const auto written = stamp.find(kRecord); written != stamp.end()) {
        for (const Json& file : *written) {
          if (file.is_string()) files_.insert(file.get<std::string>());
        }
      }
      if (identity->is_object() && identity->contains("tasks")) {
        for (const auto& [task, facts] : identity->at("tasks").items()) tasks_.insert(task);
      }
    } catch (const Error&) {
      // None there, or damaged: samples.db may tell.
    }
  }

  void read_samples_of(const store::RunPaths& paths) {
    if (!fs::exists(paths.samples())) return;
    try {
      store::Samples samples = store::Samples::open_to_read(paths.samples());
      for (const store::TaskRecord& task : samples.tasks()) tasks_.insert(task.name);
      is_run_ = true;
    } catch (const Error&) {
      // No database of a run.
    }
  }

  bool is_run_ = false;
  std::set<std::string> files_;
  std::set<std::string> tasks_;
};

bool is_name_of_every_run(const fs::path& relative) {
  static const std::set<fs::path> kNames = {"run.json",
                                            "run.lock",
                                            "results.json",
                                            "samples.db",
                                            "samples.db-journal",
                                            "samples.db-wal",
                                            "samples.db-shm",
                                            "answers.jsonl",
                                            "control.json",
                                            "control.csv"};
  return kNames.contains(relative);
}

void add_files_below(const fs::path& folder, const fs::path& below, RunFiles& found) {
  const fs::path root = below.empty() ? folder : folder / below;
  const Recorded recorded{store::RunPaths(root)};
  for (auto entry = fs::recursive_directory_iterator(root);
       entry != fs::recursive_directory_iterator();
       ++entry) {
    const bool is_folder = entry->is_directory() && !entry->is_symlink();
    const fs::path relative = entry->path().lexically_relative(root);
    if (is_folder && below.empty() && recorded.is_run() && relative.parent_path() == "control") {
      entry.disable_recursion_pending();
      add_files_below(folder, relative, found);
      continue;
    }
    if (is_folder) continue;
    const bool is_lock = below.empty() && relative == "run.lock";
    const bool is_ours = is_lock || (recorded.is_run() &&
                                     (is_name_of_every_run(relative) || recorded.has(relative)));
    (is_ours ? found.ours : found.others).push_back(below.empty() ? relative : below / relative);
  }
}

}  // namespace

RunFiles files_of_run(const fs::path& folder) {
  RunFiles found;
  add_files_below(folder, {}, found);
  std::sort(found.ours.begin(), found.ours.end());
  std::sort(found.others.begin(), found.others.end());
  return found;
}

void expect_no_such_files(const store::RunPaths& paths) {
  for (const fs::path& file : files_of_run(paths.folder).others) {
    // A run that was stopped before its first commit leaves an empty samples.db, or its journal.
    std::error_code unknown;
    const bool holds_nothing = fs::is_empty(paths.folder / file, unknown) && !unknown;
    const bool is_journal = file.native().starts_with("samples.db-");
    if (!is_name_of_every_run(file) || holds_nothing || is_journal) continue;
    throw Error{ErrorCode::kUsage,
                "stands where the run would write, and no run wrote it",
                (paths.folder / file).string(),
                "move it away, or give the run another --name or --output"};
  }
}

void remove_run_files(const store::RunPaths& paths) {
  // What tells that this is a run goes last: a process that is killed meanwhile leaves a run
  // folder.
  auto is_proof = [](const fs::path& file) { return file == "run.json" || file == "samples.db"; };
  std::vector<fs::path> ours = files_of_run(paths.folder).ours;
  std::stable_partition(
      ours.begin(), ours.end(), [&](const auto& file) { return !is_proof(file); });
  std::set<fs::path> emptied;
  for (const fs::path& file : ours) {
    if (paths.folder / file == paths.lock()) continue;
    std::error_code failed;
    fs::remove(paths.folder / file, failed);
    if (failed) {
      throw Error{ErrorCode::kIo,
                  fmt::format("cannot be removed: {}", failed.message()),
                  (paths.folder / file).string()};
    }
    for (fs::path above = file.parent_path(); !above.empty(); above = above.parent_path())
      emptied.insert(above);
  }
  // The deepest first; one that holds anything stays.
  std::error_code ignored;
  for (auto folder = emptied.rbegin(); folder != emptied.rend(); ++folder)
    fs::remove(paths.folder / *folder, ignored);
}

void record_file(const fs::path& file, Json& stamp) {
  Json& all = stamp[kRecord];
  if (!all.is_array()) all = Json::array();
  const Json name = file.generic_string();
  if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
}

void keep_record_of_files(const Json& before, Json& stamp) {
  if (const auto files = before.find("files"); files != before.end() && files->is_object()) {
    for (const auto& [file, hash] : files->items()) record_file(file, stamp);
  }
  if (const auto written = before.find(kRecord); written != before.end()) {
    for (const Json& file : *written) {
      if (file.is_string()) record_file(file.get<std::string>(), stamp);
    }
  }
}

}  // namespace snellen::run
