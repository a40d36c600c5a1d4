// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/probe_tally.h"

namespace snellen::training {

ProbeTally::Entry& ProbeTally::entry(const std::string& name) {
  auto [found, is_new] = entries_.try_emplace(name);
  if (is_new) names_.push_back(name);
  return found->second;
}

void ProbeTally::expect(const std::string& name) {
  entry(name);
}

void ProbeTally::add(const std::string& name,
                     const std::string& cluster,
                     Verdict verdict,
                     std::optional<double> chance) {
  Entry& counted = entry(name);
  const double value = verdict == Verdict::kRight ? 1.0 : 0.0;
  counted.shares.add({&cluster, 1}, {&value, 1});
  counted.num_ties += verdict == Verdict::kTied ? 1 : 0;
  if (counted.num_added++ == 0) counted.chance = chance;
  if (counted.chance != chance) counted.chance.reset();
}

std::vector<metrics::Measurement> ProbeTally::measure() const {
  std::vector<metrics::Measurement> all;
  for (const std::string& name : names_) {
    const Entry& counted = entries_.at(name);
    counted.shares.measure({}, all);
    metrics::Measurement& one = all.back();
    one.id = name;
    one.chance = counted.chance;
    one.ties = counted.num_ties;
    if (one.n == 0) one.reason = "not one question could be asked";
  }
  return all;
}

}  // namespace snellen::training
