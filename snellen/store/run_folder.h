// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace snellen::store {

// The names in a run folder (docs/run-folder.md).
struct RunPaths {
  explicit RunPaths(std::filesystem::path run_folder) : folder(std::move(run_folder)) {}
  std::filesystem::path stamp() const { return folder / "run.json"; }
  std::filesystem::path results() const { return folder / "results.json"; }
  std::filesystem::path samples() const { return folder / "samples.db"; }
  std::filesystem::path lock() const { return folder / "run.lock"; }

  std::filesystem::path folder;
};

// Held by the one process that writes a run folder; goes with the process, however it ends.
class RunLock {
 public:
  // Makes the folder. Throws kBusy when another process holds it, kNotFound when it cannot be
  // written.
  explicit RunLock(const RunPaths& paths);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

// As text; bytes of paths and names that are no UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

// run.json. Throws kNotFound or kInvalidInput.
nlohmann::ordered_json read_stamp(const RunPaths& paths);
void write_stamp(const RunPaths& paths, const nlohmann::ordered_json& stamp);

}  // namespace snellen::store
