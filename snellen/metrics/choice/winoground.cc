// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/winoground.h"

#include <algorithm>
#include <limits>

#include "snellen/metrics/choice/softmax.h"

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

std::vector<MetricColumn> winoground_columns() {
  return {
      {.name = "text", .is_share = true, .chance = 0.25, .is_decision = true},
      {.name = "image", .is_share = true, .chance = 0.25, .is_decision = true},
      {.name = "group", .is_share = true, .chance = 1.0 / 6.0, .is_decision = true},
      {.name = "image1/prompt1/conf", .chance = 0.5},
      {.name = "image1/prompt2/conf", .chance = 0.5, .higher_is_better = false},
      {.name = "image2/prompt1/conf", .chance = 0.5, .higher_is_better = false},
      {.name = "image2/prompt2/conf", .chance = 0.5},
      {.name = "right_pairs/conf", .chance = 0.5},
  };
}

namespace {

// What compares two images goes, and shares are their own confidences.
void leave_texts_alone(const FourScores& f, Judged& judged) {
  judged.values[kImage] = judged.values[kGroup] = std::numeric_limits<double>::quiet_NaN();
  judged.tied_columns &= uint64_t{1} << kText;
  judged.is_correct = std::nullopt;
  if (judged.values[kText] != 0.5) judged.is_correct = judged.values[kText] == 1;
  judged.margin = std::min(f[0][0] - f[0][1], f[1][1] - f[1][0]);
  judged.values[kImage1Prompt1] = f[0][0];
  judged.values[kImage1Prompt2] = f[0][1];
  judged.values[kImage2Prompt1] = f[1][0];
  judged.values[kImage2Prompt2] = f[1][1];
  judged.values[kRightPairs] = (f[0][0] + f[1][1]) / 2;
}

}  // namespace

Judged judge_winoground(const FourScores& f, Ties ties, bool are_shares_per_image) {
  Winoground result = winoground(f);
  bool text_with_ties = f[0][0] >= f[0][1] && f[1][1] >= f[1][0];
  bool image_with_ties = f[0][0] >= f[1][0] && f[1][1] >= f[0][1];
  Judged judged;
  judged.values = {credit_of(result.text, text_with_ties, ties),
                   credit_of(result.image, image_with_ties, ties),
                   credit_of(result.group, text_with_ties && image_with_ties, ties),
                   result.confidence[0][0],
                   result.confidence[0][1],
                   result.confidence[1][0],
                   result.confidence[1][1],
                   (result.confidence[0][0] + result.confidence[1][1]) / 2};
  bool text_tie = f[0][0] == f[0][1] || f[1][1] == f[1][0];
  bool image_tie = f[0][0] == f[1][0] || f[1][1] == f[0][1];
  judged.tied_columns = uint64_t{text_tie} << kText | uint64_t{image_tie} << kImage |
                        uint64_t{text_tie || image_tie} << kGroup;
  if (judged.values[kGroup] != 0.5) judged.is_correct = judged.values[kGroup] == 1;
  judged.margin =
      std::min({f[0][0] - f[0][1], f[1][1] - f[1][0], f[0][0] - f[1][0], f[1][1] - f[0][1]});
  if (are_shares_per_image) leave_texts_alone(f, judged);
  return judged;
}

namespace {

class WinogroundMetric : public Metric {
 public:
  const MetricFacts& facts() const override { return facts_; }

  std::optional<std::string> misfit(const ItemShape& shape) const override {
    bool fits = shape.num_visuals == 2 && shape.num_texts == 2 && shape.num_asked() == 4 &&
                shape.is_right[0] == 1 && shape.is_right[1] == 0 && shape.is_right[2] == 0 &&
                shape.is_right[3] == 1;
    if (fits) return std::nullopt;
    return "winoground needs two pictures and two texts in matching order, and all four scores";
  }

  Judged judge(const ScoredItem& item) const override {
    return judge_winoground({{{item.scores[0], item.scores[1]}, {item.scores[2], item.scores[3]}}},
                            item.ties,
                            item.are_shares_per_visual);
  }

 private:
  MetricFacts facts_ = {.name = "winoground",
                        .summary = "text, image and group score of two pictures and two texts",
                        .version = 1,
                        .range = "0..1",
                        .ties = "a tie is wrong; --ties",
                        .paper = "arXiv 2204.03162; arXiv 2304.03659, eqs 4-6",
                        .columns = winoground_columns()};
};

}  // namespace

std::unique_ptr<Metric> make_winoground();
std::unique_ptr<Metric> make_winoground() {
  return std::make_unique<WinogroundMetric>();
}

}  // namespace snellen::metrics
