// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/top_choice.h"
#include "snellen/metrics/metric.h"

namespace snellen::metrics {
namespace {

// Score files hold perplexities, which whoever reads them turns around; a language model's own
// scores are log likelihoods, of which the higher is better as they are.
class PerplexityChoiceMetric : public Metric {
 public:
  const MetricFacts& facts() const override { return facts_; }
  std::optional<std::string> misfit(const ItemShape& shape) const override {
    return choice_misfit(shape, "perplexity_choice");
  }
  Judged judge(const ScoredItem& item) const override {
    Judged judged = judge_choice(item);
    judged.values.resize(1);
    return judged;
  }
  std::optional<double> chance(size_t column, const ItemShape& shape) const override {
    (void)column;
    return 1 / static_cast<double>(shape.num_asked());
  }

 private:
  MetricFacts facts_ = {.name = "perplexity_choice",
                        .summary = "has the right one of several texts the smallest perplexity",
                        .version = 1,
                        .range = "0..1",
                        .ties = "a tie is wrong; --ties",
                        .paper = "arXiv 2311.07022",
                        .columns = {{.name = "acc", .is_share = true, .is_decision = true}},
                        .is_smaller_better = true};
};

}  // namespace

std::unique_ptr<Metric> make_perplexity_choice();
std::unique_ptr<Metric> make_perplexity_choice() {
  return std::make_unique<PerplexityChoiceMetric>();
}

}  // namespace snellen::metrics
