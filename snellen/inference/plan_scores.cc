// SPDX-License-Identifier: Apache-2.0
// Scores from the rows that a plan's work has kept.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "snellen/inference/plan_work.h"
#include "snellen/inference/rows/exact_doubles.h"
#include "snellen/metrics/choice/text_likelihood.h"
#include "snellen/models/similarity.h"

namespace snellen::inference {

size_t PlanWork::rows_of(uint32_t visual) const {
  if (!traits_.has_rows_per_frame) return 1;
  return std::max<size_t>(1, visual_feed_->frames_of(visual).size());
}

std::span<const float> PlanWork::row_of(uint32_t visual, size_t frame) const {
  const std::span<const float> row = visuals_.row(visual);
  const size_t width = row.size() / frames_per_row_;
  return row.subspan(frame * width, width);
}

media::FrameIndices PlanWork::frames_of(uint32_t visual) const {
  if (!worker_) return visual_feed_->frames_of(visual);
  std::lock_guard lock(mutex_);
  const auto found = frames_shown_.find(visual);
  return found == frames_shown_.end() ? media::FrameIndices{} : found->second;
}

std::optional<Error> PlanWork::misfit(const models::Ask& ask, const Table::AskIds& ids) const {
  for (size_t i = 0; i < ask.questions.size(); ++i) {
    if (ask.questions[i].wants == questions::Wants::kAnswer) {
      if (traits_.table.has_answers && ask.questions[i].texts.size() == 1) continue;
      return Error{ErrorCode::kInvalidInput,
                   traits_.table.has_answers ? "a question that wants an answer has not one text"
                                             : "this model gives scores and no answers",
                   std::string(ask.item),
                   "take a model that answers, for example --model openai:NAME"};
    }
    if (traits_.table.has_questions || !traits_.table.has_visuals ||
        ids.visual(i) != Table::kNoVisual)
      continue;
    return Error{ErrorCode::kInvalidInput,
                 "this model needs a picture, and the question shows none",
                 std::string(ask.item)};
  }
  return std::nullopt;
}

Frontier::Needs PlanWork::needs(const models::Ask& ask, const Table::AskIds& ids) const {
  Frontier::Needs needs;
  for (size_t i = 0; i < ask.questions.size(); ++i) {
    if (traits_.visuals_per_job > 0) {
      const uint32_t unit =
          traits_.table.has_questions ? ids.question(i) : visual_feed_->owner_of(ids.visual(i));
      needs.visuals = std::max(needs.visuals, unit + 1);
    }
    if (traits_.texts_per_job == 0) continue;
    for (const uint32_t text : ask.questions[i].texts)
      needs.texts = std::max(needs.texts, ids.text(text) + 1);
  }
  return needs;
}

Result<questions::Scores> PlanWork::score(const models::Ask& ask, const Table::AskIds& ids) const {
  questions::Scores scores{.values = std::vector<double>(ask.num_scores()), .kind = traits_.kind};
  for (size_t i = 0; i < ask.questions.size(); ++i) {
    if (std::optional<Error> failure = failure_of({ask.questions[i], ids, i})) return *failure;
  }
  const bool has_masses = worker_ && worker_->traits().has_masses;
  if (has_masses) scores.masses.resize(scores.values.size());
  size_t next = 0;
  for (size_t number = 0; number < ask.questions.size(); ++number) {
    const questions::Question& question = ask.questions[number];
    if (question.wants == questions::Wants::kAnswer) {
      models::WorkerReply reply = answers_.find(ids.question(number));
      scores.answers.push_back(std::move(reply.text));
      scores.answer_facts.push_back(std::move(reply.facts));
      continue;
    }
    const std::vector<double> values = scores_of({question, ids, number});
    const std::vector<double> masses =
        has_masses ? masses_of({question, ids, number}) : std::vector<double>{};
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t place = questions::place_of(question, i, next);
      scores.values[place] = values[i];
      if (has_masses) scores.masses[place] = masses[i];
      if (std::isfinite(values[i])) continue;
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "the model's score of '{}' is {}", (*ask.texts)[question.texts[i]].prompt, values[i]),
          std::string(ask.item),
          "check the weights, or take --dtype fp32"};
    }
    next += values.size();
  }
  if (!visual_feed_ || ask.questions.empty()) return scores;
  const auto frames_at = [&](uint32_t visual) {
    return visual == Table::kNoVisual ? media::FrameIndices{} : frames_of(visual);
  };
  scores.frames = frames_at(ids.visual(0));
  if (!scores.frames.empty()) scores.kind = traits_.clip_kind;
  scores.files.resize(ask.visuals.size());
  for (size_t i = 0; i < ask.questions.size(); ++i) {
    if (ids.visual(i) != Table::kNoVisual)
      scores.files[ask.questions[i].visual] = visual_feed_->file_of(ids.visual(i));
  }
  return scores;
}

std::optional<Error> PlanWork::failure_of(const Asked& asked) const {
  for (const uint32_t text : asked.question.texts) {
    if (const Error* failure = texts_.failure(asked.ids.text(text))) return *failure;
  }
  if (!visual_feed_ && !traits_.table.has_questions) return std::nullopt;
  const bool shows = visual_feed_ && asked.visual() != Table::kNoVisual;
  const uint32_t visual = shows ? visual_feed_->owner_of(asked.visual()) : 0;
  const Error* failure =
      visuals_.failure(traits_.table.has_questions ? asked.ids.question(asked.number) : visual);
  if (!failure) return std::nullopt;
  return !shows || visual == asked.visual() ? *failure : moved(*failure, visual, asked.visual());
}

std::vector<double> PlanWork::scores_of(const Asked& asked) const {
  const MappedRows* pairs = pairs_.get();
  const std::vector<uint32_t>& texts = asked.question.texts;
  if (traits_.table.has_questions) {
    const uint64_t first = table_.first_value(asked.ids.question(asked.number));
    return exact_doubles(pairs->values(floats_per_pair_ * first, kFloatsPerDouble * texts.size()));
  }
  std::vector<double> scores;
  scores.reserve(texts.size());
  if (!visual_feed_) {
    for (const uint32_t text : texts)
      scores.push_back(backend_.score({}, texts_.row(asked.ids.text(text))));
    return scores;
  }
  const uint32_t visual = visual_feed_->owner_of(asked.visual());
  if (!pairs)
    return traits_.has_rows_per_frame && is_clip(visual) ? score_clip(visual, asked)
                                                         : score_rows(visual, asked);
  for (const uint32_t text : texts) {
    const std::span<const float> value = pairs->values(
        floats_per_pair_ * table_.pair_id(visual, asked.ids.text(text)), floats_per_pair_);
    scores.push_back(worker_ ? exact_doubles(value).front() : value.front());
  }
  return scores;
}

// They stand behind the scores of their question.
std::vector<double> PlanWork::masses_of(const Asked& asked) const {
  const MappedRows& pairs = *pairs_;
  const uint64_t first = table_.first_value(asked.ids.question(asked.number));
  const size_t count = asked.question.texts.size();
  return exact_doubles(
      pairs.values(floats_per_pair_ * first + kFloatsPerDouble * count, kFloatsPerDouble * count));
}

// An ensemble is compared with the direction of the visual, all other texts with its row.
std::vector<double> PlanWork::score_rows(uint32_t visual, const Asked& asked) const {
  std::vector<double> scores, direction;
  scores.reserve(asked.question.texts.size());
  std::span<const float> row = row_of(visual, 0);
  std::vector<float> made_ready;
  for (const uint32_t text : asked.question.texts) {
    const uint32_t id = asked.ids.text(text);
    if (has_direction(id)) {
      if (direction.empty()) direction = models::direction_of(row_of(visual, 0));
      const std::vector<double>& mean = directions_[id];
      scores.push_back(std::inner_product(mean.begin(), mean.end(), direction.begin(), 0.0));
      continue;
    }
    if (keeps_raw_ && made_ready.empty()) {
      made_ready.assign(row.begin(), row.end());
      backend_.make_visual_ready(made_ready);
      row = made_ready;
    }
    scores.push_back(backend_.score(row, texts_.row(id)));
  }
  return scores;
}

// The share that each frame gives to every text, averaged over the frames (docs/spec/vilma.md 5.2).
std::vector<double> PlanWork::score_clip(uint32_t visual, const Asked& asked) const {
  if (traits_.pools_frames) return score_pooled(visual, asked);
  metrics::FrameTextTable logits(rows_of(visual));
  for (size_t frame = 0; frame < logits.size(); ++frame) {
    std::vector<float> row(row_of(visual, frame).begin(), row_of(visual, frame).end());
    if (keeps_raw_) backend_.make_visual_ready(row);
    for (const uint32_t text : asked.question.texts)
      logits[frame].push_back(backend_.score(row, texts_.row(asked.ids.text(text))));
  }
  return metrics::mean_frame_softmax(logits);
}

// The mean of the frames' directions, and the direction of that, as CLIP4Clip's mean pooling.
std::vector<double> PlanWork::score_pooled(uint32_t visual, const Asked& asked) const {
  std::vector<double> sum;
  for (size_t frame = 0; frame < rows_of(visual); ++frame) {
    const std::vector<double> direction = models::direction_of(row_of(visual, frame));
    sum.resize(direction.size());
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += direction[i];
  }
  std::vector<float> row(sum.begin(), sum.end());
  backend_.make_visual_ready(row);
  std::vector<double> scores;
  for (const uint32_t text : asked.question.texts)
    scores.push_back(backend_.score(row, texts_.row(asked.ids.text(text))));
  return scores;
}

// Of two files with the same bytes either may be read first; each is named where it is asked for.
Error PlanWork::moved(const Error& failure, uint32_t from, uint32_t to) const {
  if (!table_.place(from) || failure.where() != table_.place(from)->path.string()) return failure;
  return Error{failure.code(), failure.message(), table_.place(to)->path.string(), failure.hint()};
}

WorkCounts PlanWork::counts() const {
  constexpr size_t kTruncatedShown = 5;
  WorkCounts counts{.visuals = num_visuals_,
                    .texts = num_texts_,
                    .pairs = num_pairs_,
                    .same_content = num_same_content_,
                    .splits = num_splits_,
                    .known_visuals = num_known_visuals_,
                    .known_texts = num_known_texts_,
                    .truncated = token_feed_.first_truncated(kTruncatedShown),
                    .num_truncated = token_feed_.num_truncated()};
  if (visual_feed_) {
    counts.read = visual_feed_->num_read();
    counts.decoded = visual_feed_->num_decoded();
    counts.transparent = visual_feed_->num_transparent();
    counts.same_content += visual_feed_->num_same_content();
  }
  return counts;
}

}  // namespace snellen::inference
