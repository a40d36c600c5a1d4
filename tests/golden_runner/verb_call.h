// SPDX-License-Identifier: Apache-2.0
// Vectors that a verb can compute go through the call that the verb makes: run::run_tasks.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "snellen/run/engine/engine.h"
#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// A folder that goes when the check ends.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::filesystem::path& name, const Json& json) const;
  void write_lines(const std::filesystem::path& name, const std::vector<Json>& lines) const;
  // A folder for the next run.
  std::filesystem::path next_output() const;

 private:
  std::filesystem::path path_;
  mutable size_t num_outputs_ = 0;
};

// What a run came to.
class Scored {
 public:
  explicit Scored(run::RunSummary summary);

  const run::RunSummary& summary() const { return summary_; }
  const std::filesystem::path& folder() const { return summary_.folder; }
  Json file(const std::filesystem::path& name) const;
  // A measurement that is not there has no value, no items and no interval.
  const metrics::Measurement& metric(const std::string& id) const;
  // Null where it is undefined.
  Json value(const std::string& id) const;
  Json interval(const std::string& id) const;
  // How many of the items a share is made of.
  uint64_t count(const std::string& id) const;

 private:
  run::RunSummary summary_;
  std::map<std::string, metrics::Measurement> by_id_;
};

// `snellen run --tasks TASK` with these settings and a model that answers "" to every question.
Scored ask(const Workplace& place,
           const std::string& task,
           std::map<std::string, std::string> settings);

// `snellen score TASK` with these settings, into a folder of the workplace.
Scored score(const Workplace& place,
             const std::string& task,
             std::map<std::string, std::string> settings);

}  // namespace snellen::golden
