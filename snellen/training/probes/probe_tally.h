// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "snellen/metrics/group_means.h"
#include "snellen/training/learner.h"

namespace snellen::training {

// Shares of verdicts by name, each with its count, ties and interval: Wilson's, or clusters
// resampled where several questions of a name share one. One thread at a time.
class ProbeTally {
 public:
  // Names come out in the order in which they were first seen here.
  void expect(const std::string& name);
  void add(const std::string& name,
           const std::string& cluster,
           Verdict verdict,
           std::optional<double> chance);
  std::vector<metrics::Measurement> measure() const;

 private:
  struct Entry {
    metrics::GroupMeans shares{"",
                               std::vector<metrics::MetricColumn>{{.name = {}, .is_share = true}}};
    uint64_t num_ties = 0;
    uint64_t num_added = 0;
    std::optional<double> chance;  // where all have the same
  };
  Entry& entry(const std::string& name);

  std::vector<std::string> names_;
  std::map<std::string, Entry> entries_;
};

}  // namespace snellen::training
