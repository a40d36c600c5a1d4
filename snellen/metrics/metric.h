// SPDX-License-Identifier: Apache-2.0
// A metric turns one item's scores and what is right into values; it knows no model, file or table.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/choice/ties.h"

namespace snellen::metrics {

// One value a metric gives for every item.
struct MetricColumn {
  std::string name;
  bool is_share = false;  // 0 or 1 per item, so its mean is a share and gets a Wilson interval
  std::optional<double> chance =
      std::nullopt;  // what independent random scores get, where that is a constant
  bool higher_is_better = true;
  bool is_decision = false;  // made by comparing scores, so ties can decide it
};

struct MetricFacts {
  std::string name;
  std::string summary;  // one line
  int version = 1;      // raised when a number moves
  std::string range;    // "0..1"
  std::string ties;     // the tie rule, in words
  std::string paper;
  std::vector<MetricColumn> columns;
  bool is_smaller_better = false;  // score files hold numbers of which the smaller one is better
};

// What an item asks and what is right, row-major [num_visuals, num_texts].
struct ItemShape {
  size_t num_visuals = 0;
  size_t num_texts = 0;
  std::span<const uint8_t> is_right;
  std::span<const uint8_t> is_asked;  // a pair that is right is also asked

  size_t num_asked() const;
  size_t num_right() const;
};

// An item as a metric sees it; scores lie as the shape does and higher is always better. What was
// not asked is not read.
struct ScoredItem {
  ItemShape shape;
  std::span<const double> scores;
  Ties ties = Ties::kWrong;
  // Scores are shares among the texts of one visual: those of two visuals cannot be compared.
  bool are_shares_per_visual = false;
};

struct Judged {
  std::vector<double> values;                     // one per column; NaN: undefined for this item
  uint64_t tied_columns = 0;                      // bit i: column i was decided by the tie rule
  std::optional<bool> is_correct = std::nullopt;  // the headline decision; nothing for half of one
  double margin = std::numeric_limits<double>::quiet_NaN();  // by how much the right one led
};

// Const methods are safe from many threads.
class Metric {
 public:
  virtual ~Metric() = default;
  virtual const MetricFacts& facts() const = 0;
  // Why it cannot judge items of this shape ("wants two texts"); nothing when it can.
  virtual std::optional<std::string> misfit(const ItemShape& shape) const = 0;
  // Only for items that fit.
  virtual Judged judge(const ScoredItem& item) const = 0;
  // What guessing gets in a column on such an item, and whether the value is then 0 or 1.
  virtual std::optional<double> chance(size_t column, const ItemShape& shape) const;
  virtual bool is_share(size_t column, const ItemShape& shape) const;
};

// Every metric of this build, in the order of CMakeLists.txt.
std::vector<std::unique_ptr<Metric>> built_in_metrics();

// The metric of a name of the catalogue, or of a task file's: pairwise, choice, winoground,
// recall@K[,K..], average_precision, perplexity_choice; '-' is '_'. Null for any other name.
std::unique_ptr<Metric> metric_named(std::string_view name);
// The names to suggest.
std::vector<std::string> metric_names();

}  // namespace snellen::metrics
