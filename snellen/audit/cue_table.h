// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/stats/cluster_sums.h"

namespace snellen::audit {

// What somebody goes by who sees the texts alone.
enum class Cue { kCharacters, kWords, kLikelihood, kBagOfWords };
inline constexpr size_t kNumCues = 4;
// "more characters", "more words", "likelihood", "bag of words".
std::string_view name_of(Cue cue);

// A part or category of the task, or all of it.
struct Group {
  std::string kind = {};  // "all", "part", "category"
  std::string name = {};  // empty for all
  bool operator<(const Group& other) const;
};

// How much of a group's choices a cue gets right.
struct CueRow {
  Group group = {};
  Cue cue = Cue::kCharacters;
  uint64_t n = 0;  // items
  double value = 0;
  double chance = 0;  // of guesses at the same choices
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  std::string reason = {};  // why there is no interval
  std::optional<double> p = std::nullopt;
  std::optional<double> p_holm = std::nullopt;  // over all rows
  // Adjusted p below 1 - confidence; of the bag of words only where it is above chance, since it
  // has learned the direction already.
  bool is_alarm = false;
};

// How many choices have texts that are the same words in another order.
struct WordOrderRow {
  Group group = {};
  uint64_t n = 0;
  uint64_t num_same_words = 0;
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
};

// Sums over items, in order of position. Memory grows with pictures and categories.
class CueTable {
 public:
  // An item's mean over its choices: by cue, where the cue has been asked for.
  struct ItemCues {
    std::array<std::optional<double>, kNumCues> values = {};
    double chance = 0;
    uint64_t num_choices = 0;
    uint64_t num_same_words = 0;
  };
  void add(const std::vector<Group>& groups,
           std::span<const std::string> clusters,
           const ItemCues& item);

  std::vector<CueRow> rows(double confidence) const;
  std::vector<WordOrderRow> word_order(double confidence) const;

 private:
  struct Sums {
    Sums() : clusters(kNumCues) {}
    stats::ClusterSums clusters;  // of value - chance, by cue
    std::array<uint64_t, kNumCues> n = {};
    std::array<double, kNumCues> chance = {};  // summed
    uint64_t num_choices = 0;
    uint64_t num_same_words = 0;
  };
  std::map<Group, Sums> groups_;
};

}  // namespace snellen::audit
