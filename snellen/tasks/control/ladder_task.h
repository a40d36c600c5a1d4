// SPDX-License-Identifier: Apache-2.0
// What a ladder of answers comes to, wherever the answers come from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "snellen/tasks/bias/asked_questions.h"
#include "snellen/tasks/control/answers.h"
#include "snellen/tasks/control/pooled.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::control {

struct ControlSettings {
  std::vector<std::string> levels;
  std::vector<std::string> sigmas;
  uint32_t num_replicates = 1;
  bool flips_at_first = false;
  bool counts_refusals = false;
  bool stops_early = false;
  bool asserts_claim = false;
};
config::Block control_block();

// The store's columns: C at each level, the flip at each level, then the others. `chance` is that
// of the claim. Shares of C have none: they rise where a picture is taken away, so that no verdict
// could be made of them.
std::vector<Column> columns_for(const std::vector<std::string>& levels,
                                const std::optional<double>& chance = std::nullopt);

// A ladder as it was answered, or a question whose ladder will be.
struct LadderPayload {
  const Ladder* ladder = nullptr;  // the task owns it
  std::optional<AskedQuestion> asked = std::nullopt;
  uint32_t replicate = 0;
};

class LadderTask : public TypedTask<LadderPayload> {
 public:
  explicit LadderTask(const TaskRequest& request);

  std::vector<Column> columns() const override { return columns_for(levels_.names, chance_); }
  Result<ScoreLine> read_score_line(std::string_view line) const override;
  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override {
    return pooled_metrics(levels_, options_, outcomes, options);
  }

 protected:
  // `is_nested` as named_values() takes it.
  Outcome judged(const Ladder& ladder, bool is_nested = false) const;

  Levels levels_;
  std::optional<double> chance_;  // of an answer that is C

 private:
  ControlOptions options_;
};

// Asks a model about every level.
std::unique_ptr<Task> open_asked(const TaskRequest& request);

}  // namespace snellen::tasks::control
