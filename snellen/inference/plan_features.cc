// SPDX-License-Identifier: Apache-2.0
// What a network makes of pictures and texts before scores, for maps of features.
#include <cmath>

#include "snellen/inference/plan_work.h"

namespace snellen::inference {

using Features = models::Features;

bool PlanWork::has_features(const Backend& backend) {
  const BackendTraits& traits = backend.traits();
  return !backend.worker() && traits.table.has_visuals &&
         (traits.has_directions || backend.has_joint_features());
}

Result<Features> PlanWork::features(const models::Ask& ask, const Table::AskIds& ids) const {
  const questions::Question& question = ask.questions.front();
  if (std::optional<Error> failure = failure_of({question, ids, 0})) return *failure;
  const uint32_t visual = visual_feed_->owner_of(ids.visual(0));
  if (is_clip(visual))
    return Error{ErrorCode::kInvalidInput, "features are of pictures", std::string(ask.item)};
  if (backend_.has_joint_features()) return joint_features(visual, question, ids);
  auto copy = [](std::span<const float> row) { return std::vector<float>(row.begin(), row.end()); };
  Features made{.rows = {copy(row_of(visual, 0))}};
  for (const uint32_t text : question.texts) made.rows.push_back(copy(texts_.row(ids.text(text))));
  return made;
}

// Looked at again: of a pair its score alone was kept.
Result<Features> PlanWork::joint_features(uint32_t visual,
                                          const questions::Question& question,
                                          const Table::AskIds& ids) const {
  Result<VisualFeed::Opened> opened = visual_feed_->open(visual, /*wants_content=*/true);
  if (!opened) return opened.error();
  Result<VisualPixels> pixels = visual_feed_->pixels(visual, std::move(opened).value());
  if (!pixels) return pixels.error();
  std::vector<PixelBatch> batches;
  append(batches, visual, std::move(pixels).value(), parts_.is_row_exact());
  batches.front().make_floats(*parts_.opened->processor);
  Features made{.is_joint = true};
  made.rows = parts_.in_network([&] {
    const models::SeenImages seen = backend_.see(batches.front().view());
    std::vector<std::vector<float>> rows;
    for (const uint32_t text : question.texts)
      rows.push_back(backend_.joint_features(*seen.front(), token_feed_.tokens(ids.text(text))));
    return rows;
  });
  return made;
}

}  // namespace snellen::inference
