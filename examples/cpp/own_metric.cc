// SPDX-License-Identifier: Apache-2.0
// A metric of one's own, named by a task file and measured like the others, with its interval:
//   own_metric ITEMS.jsonl OUTPUT
// where items say "metric": "margin_over_rest" (docs/your-own-task.md).
#include <algorithm>
#include <iostream>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/metrics/metric.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/engine/engine.h"
#include "snellen/run/settings.h"

namespace {

using namespace snellen;

// How far the best right text scores above the best wrong one.
class MarginOverRest final : public metrics::Metric {
 public:
  const metrics::MetricFacts& facts() const override { return facts_; }

  std::optional<std::string> misfit(const metrics::ItemShape& shape) const override {
    if (shape.num_right() > 0 && shape.num_asked() > shape.num_right()) return std::nullopt;
    return "needs a right and a wrong text";
  }

  metrics::Judged judge(const metrics::ScoredItem& item) const override {
    double right = -std::numeric_limits<double>::infinity(), wrong = right;
    for (size_t i = 0; i < item.scores.size(); ++i) {
      if (item.shape.is_asked[i] == 0) continue;
      double& best = item.shape.is_right[i] != 0 ? right : wrong;
      best = std::max(best, item.scores[i]);
    }
    return {.values = {right - wrong}, .is_correct = right > wrong, .margin = right - wrong};
  }

 private:
  metrics::MetricFacts facts_ = {.name = "margin_over_rest",
                                 .summary = "score of the best right text above the best wrong one",
                                 .range = "all numbers",
                                 .ties = "a tie is a margin of 0",
                                 .paper = "",
                                 .columns = {{.name = "margin"}}};
};

void measure(const std::string& items, const std::string& output) {
  run::Catalogue catalogue = run::Catalogue::built_in();
  catalogue.metrics.push_back(std::make_shared<const MarginOverRest>());
  config::Options options(run::run_options(catalogue));
  options.set("model", "fake", "own_metric");
  options.set("tasks", "file:" + items, "own_metric");
  options.set("output", output, "own_metric");
  const run::RunSummary summary = run::run_tasks({.catalogue = catalogue,
                                                  .options = options,
                                                  .command = "own_metric",
                                                  .on_progress = [](const run::Progress&) {},
                                                  .is_stopped = [] { return false; }});
  for (const metrics::Measurement& metric : summary.results.metrics)
    std::cout << metric.id << '\t' << metric.value << "\tn " << metric.n << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "own_metric ITEMS.jsonl OUTPUT\n";
    return 2;
  }
  try {
    measure(argv[1], argv[2]);
  } catch (const snellen::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
