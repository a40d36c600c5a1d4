// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "snellen/store/run_folder.h"

namespace snellen::report {

// A run folder as its stamp tells it. The folder is untrusted: texts may be of any length and hold
// anything.
struct StoredRun {
  store::RunPaths paths;
  nlohmann::ordered_json stamp;
  std::string verdict =
      {};  // "complete", "failures", "running", "interrupted"; "unknown" when not said
  std::string model = {};  // the name it ran under; empty when not said

  bool is_finished() const { return verdict == "complete" || verdict == "failures"; }
  // A member of the stamp by path, null when a step is missing.
  const nlohmann::ordered_json& stamped(std::initializer_list<const char*> keys) const;
};

// Throws kNotFound or kInvalidInput when there is no readable run.json.
StoredRun read_stored_run(const std::filesystem::path& folder);

// A text of a run folder made fit for a page: ill-formed UTF-8, control and text-direction
// characters replaced, and cut after `max_width` code points with "...".
std::string fit_text(std::string_view text, size_t max_width = 80);

}  // namespace snellen::report
