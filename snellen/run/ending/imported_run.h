// SPDX-License-Identifier: Apache-2.0
// A run folder made of the outcomes that another program logged: the same samples.db, results.json
// and run.json as of a run of ours, measured by the same rules.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/store/results.h"
#include "snellen/store/samples.h"

namespace snellen::run {

struct ImportedRun {
  std::string source;  // the program that wrote the log
  std::string model;   // how the run is called
  store::TaskRecord task;
  std::vector<store::Sample> samples;  // in order; positions and parts are set by the writer
  std::vector<std::filesystem::path> inputs;
  std::vector<std::string> notes;  // what the log does not say, one sentence each
  std::string command;
};

struct ImportedFolder {
  std::filesystem::path folder;
  store::Results results;
  store::SampleCounts counts;
};

// Writes <output>/<model>-<task>; a folder of the same content is left as it is. Throws kUsage when
// another run lies there, kNothingScored when no sample has a value.
ImportedFolder write_imported_run(ImportedRun run, const std::filesystem::path& output);

}  // namespace snellen::run
