// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/embedding_scorer.h"

namespace snellen::run {
namespace {

constexpr uint32_t kTextsAJob = 256;

}  // namespace

uint32_t EmbeddingScorer::texts_a_job() const {
  return kTextsAJob;
}

void EmbeddingScorer::start(const AskPlan& plan) {
  plan_ = &plan;
  visual_feed_ = std::make_unique<VisualFeed>(
      plan, parts_, VisualFeed::Options{.frames_a_clip = frames_a_clip_});
  token_feed_ = std::make_unique<TokenFeed>(plan, parts_);
  visuals_ = std::make_unique<KeptRows>(parts_.working_folder, plan.num_visuals());
  texts_ = std::make_unique<KeptRows>(parts_.working_folder, plan.num_texts());
}

JobDone EmbeddingScorer::work(const Job& job) {
  return job.kind == Job::Kind::kVisuals ? embed_visuals(job) : embed_texts(job);
}

void EmbeddingScorer::keep(JobDone&& done) {
  (done.job.kind == Job::Kind::kVisuals ? *visuals_ : *texts_).keep(done);
}

JobDone EmbeddingScorer::embed_visuals(const Job& job) {
  JobDone done{.job = job};
  for (PixelBatch& batch : batches_of(visual_feed_->feed(job, done.failures), is_row_exact())) {
    embed(batch, done);
    num_visuals_ += batch.ids.size();
  }
  return done;
}

JobDone EmbeddingScorer::embed_texts(const Job& job) {
  std::vector<models::TokenIds> tokens;
  for (uint32_t id = job.begin; id < job.end; ++id) tokens.push_back(token_feed_->tokens(id));
  models::Matrix rows = in_batches(
      tokens, is_row_exact(), [&](std::span<const models::TokenIds> some) { return embed(some); });
  num_texts_ += tokens.size();
  return {.job = job, .width = rows.num_columns, .values = std::move(rows.values)};
}

Result<std::vector<double>> EmbeddingScorer::score(const models::Ask& ask) const {
  std::vector<double> scores;
  scores.reserve(ask.cells.size());
  for (const models::Cell& cell : ask.cells) {
    uint32_t visual = visual_feed_->owner_of(plan_->visual_id(ask, cell.visual));
    if (const Error* failure = visuals_->failure(visual)) return *failure;
    scores.push_back(score(ask, cell, visual));
  }
  return scores;
}

WorkCounts EmbeddingScorer::counts() const {
  WorkCounts counts{.decoded = visual_feed_->num_decoded(),
                    .visuals = num_visuals_,
                    .texts = num_texts_,
                    .same_content = visual_feed_->num_same_content()};
  token_feed_->count(counts);
  return counts;
}

}  // namespace snellen::run
