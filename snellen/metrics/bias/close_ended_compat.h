// SPDX-License-Identifier: Apache-2.0
// Close-ended scores as earlier scorers printed them (spec/bias.md 2.6 and 2.7).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "snellen/metrics/bias/close_ended.h"

namespace snellen::metrics {

// The keys ACC, ACC_w/o_unknown, unknown_in_disambig, ACC_base, ... in the order of the published
// score.json; nothing where the published code divides by zero. `is_fallback` chooses
// paren_fallback over paren. Items without a label are wrong.
std::vector<std::pair<std::string, std::optional<double>>> compat_close_scores(
    std::span<const CloseRecord> records, bool is_fallback);
// What those scores call right, and what they call an answer "unknown": a literal (C).
bool is_right_in_compat(const CloseRecord& record, bool is_fallback);
bool says_c(std::string_view answer);

// The same keys, fed answer by answer.
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

// Rules that name an option leave unmatched answers out of the denominator.
struct MatchedScore {
  uint64_t correct = 0;
  uint64_t total = 0;
  uint64_t unmatched = 0;
  std::optional<double> accuracy;  // correct / total
};

// rule: kPrefix, kFirstParen or kMmmu.
MatchedScore matched_score(std::span<const CloseRecord> records, text::AnswerRule rule);

// base, scene, scene_text, text: the order in which the loader concatenates them.
constexpr std::array<std::string_view, 4> kSubsetsInOrder = {"base", "scene", "scene_text", "text"};
// The subset of the item at a global index, given the sizes of the four groups. Throws
// kInvalidInput beyond their sum.
std::string_view subset_at(uint64_t index, const std::array<uint64_t, 4>& sizes);

}  // namespace snellen::metrics
