// SPDX-License-Identifier: Apache-2.0
// What answers to close-ended questions come to, wherever they come from.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "snellen/metrics/bias/close_ended.h"
#include "snellen/tasks/bias/asked_questions.h"
#include "snellen/tasks/typed_task.h"
#include "snellen/text/answers/answer_parser_compat.h"

namespace snellen::tasks::bias_close {

// A question with its answer, or with what is asked about it.
struct ClosePayload {
  metrics::CloseRecord record;
  std::optional<AskedQuestion> asked = std::nullopt;
};

class CloseTask : public TypedTask<ClosePayload> {
 public:
  explicit CloseTask(const TaskRequest& request);

  std::vector<Part> parts() const override { return parts_; }
  std::vector<Column> columns() const override;
  Result<ScoreLine> read_score_line(std::string_view line) const override;
  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override;
  // score.json with the keys of the earlier public scorer: by its rules in compat, else by ours.
  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override;

 protected:
  // Of an answer that was cut off and comes to nothing the rule is "truncated".
  Outcome judged(const metrics::CloseRecord& record, bool is_cut_off = false) const;
  Outcome judged(const metrics::CloseRecord& record, const text::ParsedAnswer& parsed) const;
  Outcome judged(const metrics::CloseRecord& record, const ScoredChoice& choice) const;

  bool is_compat() const { return is_compat_; }
  std::vector<Part> parts_;  // one per subset
  OptionChance chance_;      // by part

 private:
  Outcome outcome_of(const metrics::CloseRecord& record, metrics::CloseOutcome judged) const;

  text::AnswerRule rule_;
  bool is_compat_;
  bool is_asked_;  // else answers of a file are judged, and stored as they have always been
};

// A question as it is judged, with the answer of its row; an Error for one that does not say what
// is right.
Result<metrics::CloseRecord> record_of(const annotations::CloseRow& question,
                                       const std::string& id,
                                       const std::string& where,
                                       bool is_compat);

// Asks a model about questions.
std::unique_ptr<Task> open_asked(const TaskRequest& request);

// A part's name for records without a subset.
constexpr const char* kNoSubset = "no-subset";

}  // namespace snellen::tasks::bias_close
