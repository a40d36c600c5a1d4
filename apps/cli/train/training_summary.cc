// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/training_summary.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/print.h"
#include "apps/cli/progress.h"
#include "snellen/base/files.h"
#include "snellen/report/table.h"
#include "snellen/training/probes/evaluation_json.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f}", 100 * share) : std::string("none");
}

constexpr std::string_view kHeldOut = "held-out/", kLearnt = "learnt/";

// What scenes that were learnt from score where held-out ones have this name.
std::string learnt(const training::EvaluationReport& evaluation, const std::string& name) {
  if (!name.starts_with(kHeldOut)) return {};
  const auto value = evaluation.value(std::string(kLearnt) + name.substr(kHeldOut.size()));
  return value ? percent(*value) : std::string();
}

// What the log's first evaluation, before any step, says of a score.
std::string before(const report::TrainingCurves& curves, const std::string& name) {
  const bool has_any = !curves.evaluations.empty() && curves.evaluations.front().step == 0;
  if (!has_any) return {};
  for (const metrics::Measurement& score : curves.evaluations.front().scores) {
    if (score.id == name) return percent(score.value);
  }
  return {};
}

void print_evaluation(const training::EvaluationReport& evaluation,
                      const report::TrainingCurves& curves) {
  if (std::isfinite(evaluation.loss)) fmt::print("held-out loss {:.4f}\n", evaluation.loss);
  report::Table table({{"evaluation"},
                       {"before %", true},
                       {"after %", true},
                       {"learnt %", true},
                       {"interval 95 %"},
                       {"n", true},
                       {"ties", true}});
  for (const metrics::Measurement& score : evaluation.scores) {
    if (score.id.starts_with(kLearnt)) continue;  // beside its held-out twin
    table.add({score.id,
               before(curves, score.id),
               percent(score.value),
               learnt(evaluation, score.id),
               score.low ? fmt::format("{} to {}", percent(*score.low), percent(*score.high))
                         : score.reason,
               fmt::format("{}", score.n),
               fmt::format("{}", score.ties)});
  }
  if (!table.is_empty()) fmt::print("{}", table.as_text(kTextWidth));
  for (const std::string& reason : evaluation.reasons)
    print_note("snellen: probe item failed: {}\n", reason);
}

}  // namespace

report::TrainingCurves write_curves(const fs::path& output) {
  report::TrainingCurves curves = report::read_training_log(output / "train.jsonl");
  write_text_file(output / "curves.svg", report::training_curves_svg(curves), Sync::kLater);
  return curves;
}

void print_summary(const Context& context,
                   const training::TrainingSettings& flags,
                   const training::TrainingSummary& summary,
                   const report::TrainingCurves& curves) {
  if (context.wants_json) {
    Json json = {{"output", flags.output},
                 {"complete", summary.is_complete},
                 {"stopped_early", summary.has_stopped_early},
                 {"steps", summary.num_steps},
                 {"resumed", summary.resumed},
                 {"parameters", summary.num_parameters},
                 {"loss", summary.last_loss},
                 {"replaced", summary.num_replaced},
                 {"reasons", summary.reasons},
                 {"seconds", summary.seconds}};
    if (summary.evaluation) json["evaluation"] = training::evaluation_to_json(*summary.evaluation);
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  fmt::print("{} steps, {} weights, last loss {:.4f}, {}\n",
             summary.num_steps,
             summary.num_parameters,
             summary.last_loss,
             shown_time(summary.seconds));
  if (summary.has_stopped_early) fmt::print("stopped early: {} got no better\n", flags.stop_on);
  if (summary.evaluation) print_evaluation(*summary.evaluation, curves);
  for (const std::string& reason : summary.reasons) print_note("snellen: replaced: {}\n", reason);
  if (summary.num_replaced > 0)
    print_note("snellen: {} samples could not be read\n", summary.num_replaced);
  if (summary.is_complete) {
    fmt::print("wrote {}, with train.jsonl and curves.svg\n", flags.output);
  } else {
    print_note("stopped; the same command continues from step {}\n", summary.num_steps);
  }
}

}  // namespace snellen::cli
