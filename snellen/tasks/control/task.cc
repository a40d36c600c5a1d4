// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/control/answers.h"
#include "snellen/tasks/control/pooled.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::control {
namespace {

namespace fs = std::filesystem;
using metrics::AnswerClass;
using metrics::LadderKind;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// The store's columns: C at each level, the flip at each level, then these.
std::vector<Column> columns_for(const std::vector<std::string>& levels) {
  std::vector<Column> columns;
  columns.reserve(2 * levels.size());
  for (const std::string& level : levels)
    columns.push_back({.name = level + "/c_share", .is_share = true, .has_breakdown = true});
  for (const std::string& level : levels)
    columns.push_back({.name = "flip_at/" + level, .is_share = true});
  columns.push_back({.name = "claim_fraction", .is_share = true, .has_breakdown = true});
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

// Payload: the ladder of a slot, which the task owns.
struct ControlSettings {
  std::vector<std::string> levels;
  std::vector<std::string> sigmas;
  bool flips_at_first = false;
  bool counts_refusals = false;
  bool stops_early = false;
  bool asserts_claim = false;
};

std::vector<config::Option> own_options() {
  using config::option;
  using S = ControlSettings;
  return {
      option(&S::levels,
             "levels",
             "levels in order (default: those of the file by sigma, as clean,e2,e3,e4)"),
      option(&S::sigmas, "sigmas", "noise of each level, 0 for clean"),
      option(&S::flips_at_first,
             "flip",
             "a flip is the first level from which all answers are C, or the first C",
             {{"stable", false}, {"first", true}}),
      option(&S::counts_refusals, "refusal-as-unknown", "a refusal meets the claim as C does"),
      option(
          &S::stops_early, "early-stop", "levels after the first C were not asked and count as C"),
      option(&S::asserts_claim, "claim", "exit with code 5 unless the claim holds")
          .alias("assert_claim")
          .identity(false)};
}

// With --claim, a claim that does not hold is the exit code.
TaskReport report_claim(const ReportRequest& request) {
  constexpr int kUnmet = 5;
  TaskReport report;
  if (!request.options.get<ControlSettings>().asserts_claim) return report;
  for (const metrics::Measurement& one : request.metrics) {
    if (one.id == "control/claim_holds" && one.value != 1.0) {
      report.problem = "the claim " + one.reason;
      report.exit_code = kUnmet;
    }
  }
  return report;
}

class Control : public TypedTask<const Ladder*> {
 public:
  explicit Control(const TaskRequest& request) {
    const auto& settings = request.options.get<ControlSettings>();
    annotations::TableFile file = open_answers(request.options);
    std::optional<QuestionFile> questions = QuestionFile::open(request.options);
    inputs_.push_back(file.path());
    if (questions) inputs_.push_back(questions->path());
    answers_ = read_control_answers(
        file,
        questions,
        levels_from_flags(settings.levels, settings.sigmas),
        {.rule = answer_rule(request.options, request.is_compat),
         .is_rule_asked = request.options.is_set("parser") || request.is_compat,
         .stops_early = settings.stops_early});
    options_ = {.flips_at_first_c = settings.flips_at_first,
                .counts_refusal_as_c = settings.counts_refusals};
  }

  std::vector<Part> parts() const override { return {{"", answers_.slots.size()}}; }
  std::vector<Column> columns() const override { return columns_for(answers_.levels.names); }
  std::vector<fs::path> inputs() const override { return inputs_; }

  Result<Made> make(uint64_t position) const override {
    const LadderSlot& slot = answers_.slots.at(position);
    if (!slot.ladder) return *slot.error;
    Item item;
    item.id = slot.id;
    item.clusters = {slot.ladder->item.image.empty() ? slot.id : slot.ladder->item.image};
    item.category = slot.ladder->item.category;
    return Made{std::move(item), &*slot.ladder};
  }

  Result<Outcome> decide(const Ladder* const& ladder, const questions::Scores&) const override {
    const std::vector<metrics::LadderAnswer>& answers = ladder->item.answers;
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
    double sigma = flip ? answers_.levels.sigmas[*flip] : 0;
    outcome.values.push_back(sigma > 0 ? std::log10(sigma) : kUndefined);
    for (size_t kind = 0; kind < metrics::kNumLadderKinds; ++kind)
      outcome.values.push_back(share(verdict.kind == static_cast<LadderKind>(kind)));
    outcome.is_correct = meets_claim;
    outcome.named = named_values(*ladder);
    return outcome;
  }

  Result<ScoreLine> read_score_line(std::string_view line) const override {
    (void)line;
    return Error{ErrorCode::kUsage,
                 "control takes answers, not scores",
                 "--scores",
                 "name them with --answers"};
  }

  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override {
    return pooled_metrics(answers_.levels, options_, outcomes, options);
  }

 private:
  ControlAnswers answers_;
  ControlOptions options_;
  std::vector<fs::path> inputs_;
};

TaskFacts facts() {
  return {.name = "control",
          .summary = "does it say it cannot know when the picture is noise?",
          .paper = "blind-image control of arXiv 2406.14194",
          .data = "answers over the levels of noise, brought by the user",
          .settings = {answer_block(), config::Block(ControlSettings{}, own_options())},
          .reads_results = true,
          .parts = {},
          .columns = columns_for({"clean", "e2", "e3", "e4"}),
          .report = report_claim};
}

}  // namespace
}  // namespace snellen::tasks::control

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_control();
std::unique_ptr<TaskEntry> make_control() {
  return task_entry<control::Control>(control::facts());
}

}  // namespace snellen::tasks
