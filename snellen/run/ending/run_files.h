// SPDX-License-Identifier: Apache-2.0
// Which files of a run folder runs wrote, and which are somebody's own.
#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/store/run_folder.h"

namespace snellen::run {

// Paths of files and links, relative to the folder, sorted.
struct RunFiles {
  std::vector<std::filesystem::path> ours;
  std::vector<std::filesystem::path> others;
};

// By the names that every run has, those that run.json records, and those of the pictures, features
// and controls of a run; all are somebody's own where neither run.json nor samples.db is of a run.
RunFiles files_of_run(const std::filesystem::path& folder);

// Throws kUsage, naming it, when a file that a run writes stands in the folder and no run wrote it.
void expect_no_such_files(const store::RunPaths& paths);

// Removes what runs wrote but the lock, and the folders below that this empties; all else stays.
void remove_run_files(const store::RunPaths& paths);

// The run goes on, or is ended again: the stamp remembers the files that it recorded before.
void keep_record_of_files(const nlohmann::ordered_json& before, nlohmann::ordered_json& stamp);
// Records a file, relative to the run folder, that no hash is kept of: it holds times.
void record_file(const std::filesystem::path& file, nlohmann::ordered_json& stamp);

}  // namespace snellen::run
