// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/winoground.h"

#include "snellen/base/error.h"
#include "snellen/metrics/metric.h"
#include "snellen/metrics/softmax.h"

namespace snellen::metrics {

Winoground winoground(const FourScores& f) {
  Winoground result{};
  result.text = f[0][0] > f[0][1] && f[1][1] > f[1][0];
  result.image = f[0][0] > f[1][0] && f[1][1] > f[0][1];
  result.group = result.text && result.image;
  result.num_ties = int{f[0][0] == f[0][1]} + int{f[1][1] == f[1][0]} + int{f[0][0] == f[1][0]} +
                    int{f[1][1] == f[0][1]};
  for (size_t image = 0; image < 2; ++image) {
    std::vector<double> shares = softmax(f[image]);
    result.confidence[image] = {shares[0], shares[1]};
  }
  return result;
}

namespace {

class WinogroundMetric : public Metric {
 public:
  const MetricFacts& facts() const override { return facts_; }

  std::vector<double> judge(const ScoredItem& item) const override {
    bool fits = item.num_visuals == 2 && item.num_texts == 2 && item.is_right[0] == 1 &&
                item.is_right[1] == 0 && item.is_right[2] == 0 && item.is_right[3] == 1;
    if (!fits)
      throw Error{ErrorCode::kInvalidInput,
                  "winoground wants two pictures and two texts, matching in order"};
    Winoground result =
        winoground({{{item.scores[0], item.scores[1]}, {item.scores[2], item.scores[3]}}});
    return {result.text ? 1.0 : 0.0, result.image ? 1.0 : 0.0, result.group ? 1.0 : 0.0};
  }

 private:
  MetricFacts facts_ = {.name = "winoground",
                        .summary = "text, image and group score of two pictures and two texts",
                        .version = 1,
                        .range = "0..1",
                        .ties = "a tie is wrong",
                        .paper = "arXiv 2204.03162; arXiv 2304.03659, eqs 4-6",
                        .columns = {{.name = "text", .is_share = true, .chance = 0.25},
                                    {.name = "image", .is_share = true, .chance = 0.25},
                                    {.name = "group", .is_share = true, .chance = 1.0 / 6.0}}};
};

}  // namespace

std::unique_ptr<Metric> make_winoground();
std::unique_ptr<Metric> make_winoground() {
  return std::make_unique<WinogroundMetric>();
}

}  // namespace snellen::metrics
