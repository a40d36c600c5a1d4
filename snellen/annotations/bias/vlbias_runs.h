// SPDX-License-Identifier: Apache-2.0
// What VLBiasBench's own runner leaves behind (docs/spec/bias.md 2.9): a folder per model, in it a
// folder per run, in that result.json (when it ended) and log.txt.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/bias/bias_answers.h"

namespace snellen::annotations {

// The run of a data set that counts for a model.
struct VlbiasRun {
  std::string model;  // with its comment, as the folder is called
  std::string time;   // "20240131-120000"
  std::filesystem::path folder;
};

// {outputs}/{model}/{dataset}_{time}: of every model the latest run, or with `after` the first one
// that is later than that; in order of the models' names. Throws kNotFound where there is no folder
// of outputs.
std::vector<VlbiasRun> vlbias_runs(const std::filesystem::path& outputs,
                                   std::string_view dataset,
                                   std::string_view after = {});

// Samples of a log.txt, read by the marks of its fields and the line of dashes behind each, so that
// instructions and answers of many lines stay whole.
struct LogReading {
  uint64_t num_samples = 0;
  uint64_t num_cut = 0;  // without their line of dashes, as a killed run leaves its last one
};
LogReading read_vlbias_log(const std::filesystem::path& log,
                           const std::function<void(const ResultRow&)>& visit);

// A list as Python prints it, ['a', "it's"]; an Error for anything else.
Result<std::vector<std::string>> python_texts(std::string_view text);

}  // namespace snellen::annotations
