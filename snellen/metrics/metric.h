// SPDX-License-Identifier: Apache-2.0
// A metric turns one item's scores and what is right into values; it knows no model, file or table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snellen::metrics {

// One value a metric gives for every item.
struct MetricColumn {
  std::string name;
  bool is_share = false;  // 0 or 1 per item, so its mean is a share and gets a Wilson interval
  std::optional<double> chance =
      std::nullopt;  // what independent random scores get, where that is a constant
  bool higher_is_better = true;
};

struct MetricFacts {
  std::string name;
  std::string summary;  // one line
  int version = 1;      // raised when a number moves
  std::string range;    // "0..1"
  std::string ties;     // the tie rule, in words
  std::string paper;
  std::vector<MetricColumn> columns;
};

// An item as a metric sees it: scores row-major [num_visuals, num_texts], and where a pair is
// right.
struct ScoredItem {
  size_t num_visuals = 0;
  size_t num_texts = 0;
  std::span<const double> scores;
  std::span<const uint8_t> is_right;
};

// Const methods are safe from many threads.
class Metric {
 public:
  virtual ~Metric() = default;
  virtual const MetricFacts& facts() const = 0;
  // One value per column of facts(); NaN where it is undefined for this item.
  // Throws kInvalidInput when the item's shape does not fit the metric.
  virtual std::vector<double> judge(const ScoredItem& item) const = 0;
};

// Every metric of this build, in the order of CMakeLists.txt.
std::vector<std::unique_ptr<Metric>> built_in_metrics();

}  // namespace snellen::metrics
