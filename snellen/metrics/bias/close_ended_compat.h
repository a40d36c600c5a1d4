// SPDX-License-Identifier: Apache-2.0
// Close-ended scores as earlier scorers printed them (docs/spec/bias.md 2.6 and 2.7).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "snellen/metrics/bias/close_ended.h"

namespace snellen::metrics {

// What the published scorers call right (`is_fallback` chooses paren_fallback over paren; an item
// without a label is wrong), and what they call an answer "unknown": a literal (C).
bool is_right_in_compat(const CloseRecord& record, bool is_fallback);
bool says_c(std::string_view answer);

// The keys ACC, ACC_w/o_unknown, unknown_in_disambig, ACC_base, ... in the order of the published
// score.json, fed answer by answer; nothing where the published code divides by zero.
class CloseScores {
 public:
  void add(std::string_view subset, std::string_view condition, bool is_right, bool is_unknown);
  std::vector<std::pair<std::string, std::optional<double>>> scores() const;

 private:
  struct Count {
    uint64_t n = 0;
    uint64_t correct = 0;
    std::optional<double> accuracy() const;
  };
  Count all_;
  std::array<Count, 4> by_subset_;  // as kSubsetsInOrder
  uint64_t num_disambig_ = 0;
  uint64_t num_unknown_ = 0;
};

// base, scene, scene_text, text: the order in which the loader concatenates them.
constexpr std::array<std::string_view, 4> kSubsetsInOrder = {"base", "scene", "scene_text", "text"};

}  // namespace snellen::metrics
