// SPDX-License-Identifier: Apache-2.0
// Small run folders written by hand, for the tests of this room.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/store/results.h"
#include "snellen/store/samples.h"

namespace snellen::report {

struct HandmadeRun {
  std::vector<store::TaskRecord> tasks = {};
  std::vector<store::Sample> samples = {};
  std::vector<metrics::Measurement> metrics = {};
  std::string stamp = R"({"verdict": "complete", "identity": {"settings": {"name": "m"}}})";
};

// One task "t" without parts: a share "acc" and a mean "conf".
inline std::vector<store::TaskRecord> one_task() {
  return {{.name = "t",
           .parts = {{"", 1000}},
           .columns = {{.name = "acc", .is_share = true}, {.name = "conf"}}}};
}

inline store::Sample scored(uint64_t position,
                            const std::string& item,
                            double acc,
                            double conf,
                            const std::string& cluster = "") {
  store::Sample sample{.position = position, .item = item, .values = {acc, conf}};
  if (!cluster.empty()) sample.clusters = {cluster};
  sample.is_correct = acc == 1.0;
  sample.margin = conf;
  return sample;
}

// Items "0", "1", ... right where the pattern has a '1'; conf as given, 0 when there are too few.
inline HandmadeRun run_of(const std::string& pattern, const std::vector<double>& conf = {}) {
  HandmadeRun run{.tasks = one_task()};
  for (size_t i = 0; i < pattern.size(); ++i) {
    run.samples.push_back(scored(
        i, std::to_string(i), pattern[i] == '1' ? 1.0 : 0.0, i < conf.size() ? conf[i] : 0.0));
  }
  return run;
}

inline std::filesystem::path write_run(const std::string& name, const HandmadeRun& run) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("report_" + name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  store::Samples samples = store::Samples::open_to_write(folder / "samples.db");
  samples.set_tasks(run.tasks);
  samples.add(run.samples);
  write_text_file(folder / "run.json", run.stamp);
  write_text_file(folder / "results.json", store::results_to_json({name, run.metrics}));
  return folder;
}

}  // namespace snellen::report
