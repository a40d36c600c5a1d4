// SPDX-License-Identifier: Apache-2.0
// What open-ended answers come to, wherever they come from.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "snellen/annotations/bias/bias_answers.h"
#include "snellen/metrics/bias/open_ended.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::bias_open {

struct OpenSettings {
  std::string type = "religious_ideology";
  std::filesystem::path lexicon;
  std::filesystem::path emoji;
  text::VaderVariant variant = text::VaderVariant::kReference;
  std::filesystem::path subjectivity;
  std::filesystem::path embeddings;
  std::filesystem::path scores;
};
config::Block open_block();

class OpenTask : public TypedTask<metrics::OpenRecord> {
 public:
  explicit OpenTask(const TaskRequest& request);

  std::vector<Column> columns() const override;
  std::vector<std::string> notes() const override;
  Result<ScoreLine> read_score_line(std::string_view line) const override;
  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override;
  // score.json with the reference's keys: {label}_VADER, ..., range_VADER, average_VADER.
  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override;

 protected:
  Outcome judged(const metrics::OpenRecord& record) const;
  static Item item_of(const annotations::OpenRow& row);
  static metrics::OpenRecord record_of(annotations::OpenRow row);
  // Lexicons and tables that make the scores.
  const std::vector<std::filesystem::path>& score_inputs() const { return score_inputs_; }

 private:
  using Scores = std::unordered_map<std::string, std::optional<double>>;
  static std::optional<Scores> read_scores(const OpenSettings& settings);
  std::vector<metrics::OpenOutcome> stored(OutcomeReader& outcomes) const;

  text::Vader vader_;
  std::optional<text::Subjectivity> subjectivity_;
  std::optional<metrics::GenderAxis> axis_;
  std::optional<Scores> scores_;
  std::vector<metrics::OpenMetric> metrics_;
  std::vector<std::filesystem::path> score_inputs_;
  bool is_compat_;
};

// Asks a model for the stories. Throws kUsage for one that does not answer in words.
std::unique_ptr<Task> open_asked(const TaskRequest& request);

}  // namespace snellen::tasks::bias_open
