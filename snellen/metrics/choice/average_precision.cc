// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/average_precision.h"

#include <algorithm>
#include <cmath>
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

  std::optional<std::string> misfit(const ItemShape& shape) const override {
    if (shape.num_right() > 0) return std::nullopt;
    return "average_precision needs at least one right pair";
  }

  // Each picture ranks the texts it is asked with; a single text ranks the pictures. The mean over
  // the pictures that have a right one.
  Judged judge(const ScoredItem& item) const override {
    const ItemShape& shape = item.shape;
    bool is_by_text = shape.num_texts == 1;
    size_t num_rankings = is_by_text ? 1 : shape.num_visuals;
    size_t length = is_by_text ? shape.num_visuals : shape.num_texts;
    double sum = 0;
    size_t count = 0;
    for (size_t ranking = 0; ranking < num_rankings; ++ranking) {
      std::vector<uint8_t> is_right;
      std::vector<double> scores;
      for (size_t place = ranking * length; place < (ranking + 1) * length; ++place) {
        if (shape.is_asked[place] == 0) continue;
        is_right.push_back(shape.is_right[place]);
        scores.push_back(item.scores[place]);
      }
      double ap = average_precision(is_right, scores);
      if (std::isnan(ap)) continue;
      sum += ap;
      ++count;
    }
    Judged judged;
    judged.values = {sum / static_cast<double>(count)};
    return judged;
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
