// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/backends/embedding.h"

#include <algorithm>

namespace snellen::inference {
namespace {

// A CPU thread gains nothing from more at once; what a job takes of the memory grows with them.
constexpr uint32_t kTextsPerJob = 64;
constexpr uint32_t kTextsPerJobOnGpu = 256;

}  // namespace

uint32_t EmbeddingBackend::texts_per_job() const {
  return parts_.gpu_batch > 0 ? kTextsPerJobOnGpu : kTextsPerJob;
}

void EmbeddingBackend::start(const Table& plan) {
  plan_ = &plan;
  visual_feed_ = std::make_unique<VisualFeed>(
      plan,
      parts_,
      VisualFeed::Options{.frames_per_clip = frames_per_clip_, .leaves_coded = takes_bytes()});
  token_feed_ = std::make_unique<TokenFeed>(plan, parts_);
  visuals_ = std::make_unique<PlanRows>(parts_.working_folder, plan.num_visuals());
  texts_ = std::make_unique<PlanRows>(parts_.working_folder, plan.num_texts());
}

JobDone EmbeddingBackend::work(const Job& job) {
  return job.kind == Job::Kind::kVisuals ? embed_visuals(job) : embed_texts(job);
}

void EmbeddingBackend::keep(JobDone&& done) {
  (done.job.kind == Job::Kind::kVisuals ? *visuals_ : *texts_).keep(done);
}

JobDone EmbeddingBackend::embed_visuals(const Job& job) {
  JobDone done{.job = job};
  std::vector<PixelBatch> batches = timed(parts_.stages->reading, [&] {
    std::vector<PixelBatch> made = visual_feed_->batches(job, done.failures);
    for (PixelBatch& batch : made) {
      if (!takes_bytes()) batch.make_floats(*parts_.processor);
    }
    return made;
  });
  for (PixelBatch& batch : batches) {
    if (!batch.coded.empty())
      timed(parts_.stages->decoding, [&] { visual_feed_->decode(batch, done.failures); });
    embed_or_split(std::move(batch), done);
  }
  return done;
}

// A batch that the device has no memory for is done in halves; a single visual that does not fit
// fails alone.
void EmbeddingBackend::embed_or_split(PixelBatch&& batch, JobDone& done) {
  try {
    parts_.check_memory(batch.ids.size());
    parts_.in_network([&] { embed(batch, done); });
    num_visuals_ += batch.ids.size();
    return;
  } catch (const std::exception& thrown) {
    if (!parts_.has_run_out(thrown)) throw;
  }
  if (batch.ids.size() == 1) {
    done.failures.emplace(batch.ids.front(), too_large(parts_));
    return;
  }
  ++num_splits_;
  for (PixelBatch& half : halves_of(std::move(batch), [&](uint32_t id) {
         return std::max<size_t>(1, visual_feed_->frames_of(id).size());
       })) {
    if (!takes_bytes()) half.make_floats(*parts_.processor);
    embed_or_split(std::move(half), done);
  }
}

models::Matrix EmbeddingBackend::embed_or_split(std::span<const models::TokenIds> texts) {
  try {
    parts_.check_memory(texts.size());
    return parts_.in_network([&] { return embed(texts); });
  } catch (const std::exception& thrown) {
    if (!parts_.has_run_out(thrown)) throw;
    if (texts.size() == 1) throw too_large(parts_);
  }
  ++num_splits_;
  models::Matrix first = embed_or_split(texts.first(texts.size() / 2));
  append_rows(first, embed_or_split(texts.subspan(texts.size() / 2)));
  return first;
}

JobDone EmbeddingBackend::embed_texts(const Job& job) {
  std::vector<models::TokenIds> tokens = timed(parts_.stages->reading, [&] {
    std::vector<models::TokenIds> all;
    for (uint32_t id = job.begin; id < job.end; ++id) all.push_back(token_feed_->tokens(id));
    return all;
  });
  models::Matrix rows =
      in_batches(tokens, is_row_exact(), [&](std::span<const models::TokenIds> some) {
        return embed_or_split(some);
      });
  num_texts_ += tokens.size();
  return {.job = job, .width = rows.num_columns, .values = std::move(rows.values)};
}

Result<std::vector<double>> EmbeddingBackend::score(const models::Ask& ask) const {
  std::vector<double> scores;
  scores.reserve(ask.cells.size());
  for (const models::Cell& cell : ask.cells) {
    const uint32_t own = plan_->visual_id(ask, cell.visual);
    const uint32_t visual = visual_feed_->owner_of(own);
    if (const Error* failure = visuals_->failure(visual))
      return visual == own ? *failure : moved(*failure, visual, own);
    scores.push_back(score(ask, cell, visual));
  }
  return scores;
}

// Of two files with the same bytes either may be read first; each is named where it is asked for.
Error EmbeddingBackend::moved(const Error& failure, uint32_t from, uint32_t to) const {
  if (failure.where() != plan_->visual(from)->path.string()) return failure;
  return Error{failure.code(), failure.message(), plan_->visual(to)->path.string(), failure.hint()};
}

WorkCounts EmbeddingBackend::counts() const {
  WorkCounts counts{.decoded = visual_feed_->num_decoded(),
                    .visuals = num_visuals_,
                    .texts = num_texts_,
                    .same_content = visual_feed_->num_same_content(),
                    .splits = num_splits_};
  token_feed_->count(counts);
  return counts;
}

}  // namespace snellen::inference
