// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/control/ladder_task.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace snellen::tasks::control {

using metrics::AnswerClass;
using metrics::LadderKind;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

config::Block control_block() {
  using config::option;
  using S = ControlSettings;
  return {
      S{},
      {option(&S::levels,
              "levels",
              "levels in order (default: `run` asks clean,e2,e3,e4; `score` takes those of the "
              "file by sigma)"),
       option(&S::sigmas, "sigmas", "noise of each level, 0 for clean"),
       option(&S::num_replicates, "replicates", "`run`: draw the noise of every level R times")
           .range(1, 1000)
           .omit_default()
           .value("R"),
       option(&S::flips_at_first,
              "flip",
              "a flip is the first level from which all answers are C, or the first C",
              {{"stable", false}, {"first", true}}),
       option(&S::counts_refusals, "refusal-as-unknown", "a refusal meets the claim as C does"),
       option(
           &S::stops_early, "early-stop", "levels after the first C were not asked and count as C"),
       option(&S::asserts_claim, "claim", "exit with code 5 unless the claim holds")
           .alias("assert_claim")
           .identity(false)}};
}

std::vector<Column> columns_for(const std::vector<std::string>& levels,
                                const std::optional<double>& chance) {
  std::vector<Column> columns;
  columns.reserve(2 * levels.size());
  for (const std::string& level : levels)
    columns.push_back({.name = level + "/c_share", .is_share = true, .has_breakdown = true});
  for (const std::string& level : levels)
    columns.push_back({.name = "flip_at/" + level, .is_share = true});
  columns.push_back(
      {.name = "claim_fraction", .is_share = true, .chance = chance, .has_breakdown = true});
  columns.push_back({.name = "monotone_share", .is_share = true, .has_breakdown = true});
  columns.push_back({.name = "mean_flip_level", .higher_is_better = false, .has_breakdown = true});
  columns.push_back({.name = "mean_log10_sigma", .higher_is_better = false});
  for (size_t kind = 0; kind < metrics::kNumLadderKinds; ++kind) {
    columns.push_back(
        {.name = fmt::format("kind/{}", metrics::name_of(static_cast<LadderKind>(kind))),
         .is_share = true,
         .higher_is_better = kind == static_cast<size_t>(LadderKind::kFlip)});
  }
  return columns;
}

LadderTask::LadderTask(const TaskRequest& request) {
  const auto& settings = request.options.get<ControlSettings>();
  options_ = {.flips_at_first_c = settings.flips_at_first,
              .counts_refusal_as_c = settings.counts_refusals};
}

Outcome LadderTask::judged(const Ladder& ladder, bool is_nested) const {
  const std::vector<metrics::LadderAnswer>& answers = ladder.item.answers;
  metrics::LadderVerdict verdict = metrics::classify_ladder(answers);
  std::optional<size_t> flip =
      options_.flips_at_first_c ? verdict.flip_level_first : verdict.flip_level;
  auto share = [](bool holds) { return holds ? 1.0 : 0.0; };
  AnswerClass last = answers.back().answer;
  bool meets_claim =
      last == AnswerClass::kC || (options_.counts_refusal_as_c && last == AnswerClass::kR);
  Outcome outcome;
  for (const metrics::LadderAnswer& answer : answers)
    outcome.values.push_back(share(answer.answer == AnswerClass::kC));
  for (size_t level = 0; level < answers.size(); ++level)
    outcome.values.push_back(share(flip == level));
  outcome.values.push_back(share(meets_claim));
  outcome.values.push_back(share(!verdict.has_reversal));
  outcome.values.push_back(flip ? static_cast<double>(*flip) : kUndefined);
  double sigma = flip ? levels_.sigmas[*flip] : 0;
  outcome.values.push_back(sigma > 0 ? std::log10(sigma) : kUndefined);
  for (size_t kind = 0; kind < metrics::kNumLadderKinds; ++kind)
    outcome.values.push_back(share(verdict.kind == static_cast<LadderKind>(kind)));
  outcome.is_correct = meets_claim;
  outcome.named = named_values(ladder, is_nested);
  return outcome;
}

Result<ScoreLine> LadderTask::read_score_line(std::string_view line) const {
  (void)line;
  return Error{ErrorCode::kUsage,
               "control takes answers, not scores",
               "--scores",
               "name them with --answers"};
}

}  // namespace snellen::tasks::control
