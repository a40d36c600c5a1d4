// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/close/close_task.h"

#include <limits>

#include <fmt/format.h>

#include "snellen/metrics/bias/close_ended_compat.h"
#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/bias/close/letters.h"
#include "snellen/tasks/bias/close/pooled.h"
#include "snellen/tasks/seed_json.h"

namespace snellen::tasks::bias_close {

namespace fs = std::filesystem;
using text::AnswerRule;

CloseTask::CloseTask(const TaskRequest& request)
    : rule_(answer_rule(request.options, request.is_compat)),
      is_compat_(request.is_compat),
      is_asked_(is_asked(request)) {}

std::vector<Column> CloseTask::columns() const {
  std::vector<Column> columns = bias_close::columns();
  columns[kAccuracy].chance = chance_.of_parts();
  return columns;
}

Result<ScoreLine> CloseTask::read_score_line(std::string_view line) const {
  (void)line;
  return Error{ErrorCode::kUsage,
               "bias-close takes answers, not scores",
               "--scores",
               "name them with --answers"};
}

Outcome CloseTask::judged(const metrics::CloseRecord& record, bool is_cut_off) const {
  metrics::CloseOutcome judged = metrics::judge_close(record, rule_);
  if (is_cut_off && judged.parsed.status == text::AnswerStatus::kUnparsable)
    judged.parsed.rule = "truncated";
  bool is_literal =
      is_compat_ && (rule_ == AnswerRule::kParen || rule_ == AnswerRule::kParenFallback);
  if (is_literal) {
    judged.is_right = metrics::is_right_in_compat(record, rule_ == AnswerRule::kParenFallback);
    judged.is_noted_unknown = metrics::says_c(record.answer);
  }
  return outcome_of(record, std::move(judged));
}

Outcome CloseTask::judged(const metrics::CloseRecord& record,
                          const text::ParsedAnswer& parsed) const {
  return outcome_of(record, metrics::judge_close(record, parsed));
}

Outcome CloseTask::judged(const metrics::CloseRecord& record, const ScoredChoice& choice) const {
  Outcome outcome = judged(record, choice.parsed);
  if (choice.is_tied) outcome.tied_columns = 1U << kAccuracy;
  outcome.margin = choice.label_lead.value_or(std::numeric_limits<double>::quiet_NaN());
  outcome.named.put(kLead, choice.lead);
  return outcome;
}

Outcome CloseTask::outcome_of(const metrics::CloseRecord& record,
                              metrics::CloseOutcome judged) const {
  bool is_parsed = judged.parsed.status == text::AnswerStatus::kParsed;
  auto share = [](bool holds) { return holds ? 1.0 : 0.0; };
  Detail detail{.condition = record.condition,
                .status = std::string(text::name_of(judged.parsed.status)),
                .rule = std::string(judged.parsed.rule),
                .is_unknown = judged.is_noted_unknown.value_or(judged.is_unknown)};
  Outcome outcome;
  outcome.values = {share(judged.is_right),
                    is_parsed ? share(judged.is_right) : std::numeric_limits<double>::quiet_NaN(),
                    share(is_parsed),
                    share(judged.parsed.status == text::AnswerStatus::kRefusal),
                    share(judged.is_unknown)};
  outcome.is_correct = judged.is_right;
  outcome.named = detail.named();
  if (is_asked_ && judged.parsed.index)
    outcome.named.put(kChosen, static_cast<int64_t>(*judged.parsed.index));
  return outcome;
}

std::vector<metrics::Measurement> CloseTask::pooled(OutcomeReader& outcomes,
                                                    const PooledOptions& options) const {
  return pooled_metrics(parts_, chance_.of_questions(), outcomes, options);
}

std::vector<SeedReport> CloseTask::write_seed_files(const SeedRequest& request,
                                                    OutcomeReader& outcomes) const {
  metrics::CloseScores scores;
  for (const Part& part : parts_) {
    outcomes.for_each_scored(part.name, [&](const StoredItem& item) {
      const Detail detail = Detail::of(item.outcome.named);
      scores.add(
          part.name, detail.condition, item.outcome.is_correct.value_or(false), detail.is_unknown);
    });
  }
  SeedReport report;
  report.results_folder = fs::path("close_ended") / request.tag;
  report.log_folder = report.results_folder;
  SeedJson json(NonFinite::kNull);
  for (const auto& [key, value] : scores.scores()) {
    json.put({key}, value ? python_float(*value) : "null");
    if (value) report.log_lines.push_back(fmt::format("{}: {}", key, *value));
  }
  report.files.push_back(report.results_folder / "score.json");
  json.write(request.folder / report.files.back());
  return {report};
}

Result<metrics::CloseRecord> record_of(const annotations::CloseRow& question,
                                       const std::string& id,
                                       const std::string& where,
                                       bool is_compat) {
  std::optional<size_t> label =
      metrics::label_or_default(question.label, question.condition, question.unknown);
  if (!label && !is_compat) {
    return Error{ErrorCode::kInvalidInput,
                 "has no label, and is not ambiguous",
                 where,
                 "say which option is right in 'label', or leave the item out"};
  }
  return metrics::CloseRecord{.id = id,
                              .image = question.image.empty() ? id : question.image,
                              .subset = {},
                              .category = question.category,
                              .condition = question.condition,
                              .options = question.options,
                              .unknown = question.unknown,
                              .label = label,
                              .answer = question.answer.value_or(""),
                              .presented = question.presented};
}

}  // namespace snellen::tasks::bias_close
