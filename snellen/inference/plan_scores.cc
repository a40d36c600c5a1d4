// SPDX-License-Identifier: Apache-2.0
// Scores from the rows that a plan's work has kept.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "snellen/inference/plan_work.h"
#include "snellen/metrics/choice/text_likelihood.h"

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

Result<std::vector<double>> PlanWork::score(const models::Ask& ask) const {
  constexpr double kOpen = std::numeric_limits<double>::lowest();
  std::vector<double> scores(ask.cells.size(), kOpen);
  for (const models::Cell& cell : ask.cells) {
    if (const Error* failure = texts_.failure(table_.text_id(cell.text))) return *failure;
  }
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] != kOpen) continue;
    const models::Cell& cell = ask.cells[i];
    const uint32_t text = table_.text_id(cell.text);
    if (!visual_feed_) {
      scores[i] = backend_.score({}, texts_.row(text));
      continue;
    }
    const uint32_t own = table_.visual_id(ask, cell.visual);
    const uint32_t visual = visual_feed_->owner_of(own);
    if (const Error* failure = visuals_.failure(visual))
      return visual == own ? *failure : moved(*failure, visual, own);
    if (pairs_) {
      const MappedRows& pairs = *pairs_;
      scores[i] = pairs.values(table_.pair_id(visual, text), 1)[0];
      continue;
    }
    if (traits_.has_rows_per_frame && is_clip(visual)) {
      score_clip(ask, i, visual, scores);
    } else {
      scores[i] = backend_.score(row_of(visual, 0), texts_.row(text));
    }
  }
  for (size_t i = 0; i < scores.size(); ++i) {
    if (std::isfinite(scores[i])) continue;
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the model's score of '{}' is {}", ask.cells[i].text, scores[i]),
                 std::string(ask.item),
                 "check the weights, or take --dtype fp32"};
  }
  return scores;
}

// Of every cell with the visual of this one: the share that each frame gives to every text,
// averaged over the frames (spec/vilma.md 5.2).
void PlanWork::score_clip(const models::Ask& ask,
                          size_t cell,
                          uint32_t visual,
                          std::vector<double>& to) const {
  std::vector<size_t> cells;
  for (size_t i = cell; i < ask.cells.size(); ++i) {
    if (ask.cells[i].visual == ask.cells[cell].visual) cells.push_back(i);
  }
  metrics::FrameTextTable logits(rows_of(visual));
  for (size_t frame = 0; frame < logits.size(); ++frame) {
    for (size_t i : cells) {
      logits[frame].push_back(
          backend_.score(row_of(visual, frame), texts_.row(table_.text_id(ask.cells[i].text))));
    }
  }
  const auto shares = metrics::mean_frame_softmax(logits);
  for (size_t i = 0; i < cells.size(); ++i) to[cells[i]] = shares[i];
}

// Of two files with the same bytes either may be read first; each is named where it is asked for.
Error PlanWork::moved(const Error& failure, uint32_t from, uint32_t to) const {
  if (failure.where() != table_.visual(from)->path.string()) return failure;
  return Error{failure.code(), failure.message(), table_.visual(to)->path.string(), failure.hint()};
}

models::Shown PlanWork::shown(const models::Ask& ask) const {
  if (!visual_feed_ || ask.cells.empty()) return {.kind = traits_.kind, .frames = {}};
  const media::FrameIndices& frames =
      visual_feed_->frames_of(table_.visual_id(ask, ask.cells.front().visual));
  return {.kind = frames.empty() ? traits_.kind : traits_.clip_kind, .frames = frames};
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
    counts.same_content += visual_feed_->num_same_content();
  }
  return counts;
}

}  // namespace snellen::inference
