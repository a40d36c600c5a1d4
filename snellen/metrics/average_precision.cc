// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/average_precision.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "snellen/base/error.h"
#include "snellen/metrics/metric.h"

namespace snellen::metrics {

double average_precision(std::span<const uint8_t> is_positive, std::span<const double> scores) {
  SNELLEN_CHECK(is_positive.size() == scores.size());
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  double num_positive =
      static_cast<double>(std::count(is_positive.begin(), is_positive.end(), uint8_t{1}));
  if (num_positive == 0) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  double seen = 0;
  double found = 0;
  for (size_t i = 0; i < order.size();) {
    double before = found;
    size_t end = i;
    for (; end < order.size() && scores[order[end]] == scores[order[i]]; ++end) {
      seen += 1;
      found += is_positive[order[end]];
    }
    sum += (found - before) / num_positive * (found / seen);
    i = end;
  }
  return sum;
}

double average_precision_compat(std::span<const uint8_t> is_positive,
                                std::span<const double> scores) {
  SNELLEN_CHECK(is_positive.size() == scores.size());
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(
      order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] < scores[b]; });
  std::reverse(order.begin(), order.end());
  double sum = 0;
  double found = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    if (is_positive[order[rank]] == 0) continue;
    found += 1;
    sum += found / static_cast<double>(rank + 1);
  }
  return sum / (found + 1e-8);
}

namespace {

class AveragePrecisionMetric : public Metric {
 public:
  const MetricFacts& facts() const override { return facts_; }

  std::vector<double> judge(const ScoredItem& item) const override {
    if (item.num_visuals != 1)
      throw Error{ErrorCode::kInvalidInput, "average_precision wants one picture"};
    return {average_precision(item.is_right, item.scores)};
  }

 private:
  MetricFacts facts_ = {
      .name = "average_precision",
      .summary = "area under precision over recall of one picture's ranking of the texts",
      .version = 1,
      .range = "0..1",
      .ties = "tied texts enter the ranking together",
      .paper = "arXiv 2304.03659, 3.4",
      .columns = {{.name = "map"}}};
};

}  // namespace

std::unique_ptr<Metric> make_average_precision();
std::unique_ptr<Metric> make_average_precision() {
  return std::make_unique<AveragePrecisionMetric>();
}

}  // namespace snellen::metrics
