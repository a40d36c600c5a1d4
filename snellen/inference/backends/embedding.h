// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "snellen/inference/feeds.h"
#include "snellen/inference/rows/plan_rows.h"
#include "snellen/inference/backend.h"

namespace snellen::inference {

// Networks that embed visuals and texts apart: a row for each distinct one, and a score from the
// two rows of a cell. What a network of this kind says of itself is in the virtual functions below.
class EmbeddingBackend : public Backend {
 public:
  EmbeddingBackend(const NetworkParts& parts, int64_t frames_per_clip)
      : parts_(parts), frames_per_clip_(frames_per_clip) {}

  TableOptions plan_options() const final { return {.has_visuals = true, .has_pairs = false}; }
  uint32_t texts_per_job() const final;
  void start(const Table& plan) override;
  JobDone work(const Job& job) final;
  void keep(JobDone&& done) final;
  Result<std::vector<double>> score(const models::Ask& ask) const final;
  uint32_t stands_for(uint32_t visual) const final { return visual_feed_->owner_of(visual); }
  models::Shown shown(const models::Ask& ask) const override {
    return {.kind = questions::ScoreKind::kSimilarity, .frames = visual_feed_->frames_of(ask)};
  }
  WorkCounts counts() const final;
  media::FrameIndices frames_seen(uint32_t visual) const final {
    return visual_feed_->frames_of(visual);
  }
  void restore_frames(uint32_t visual, media::FrameIndices&& frames) final {
    visual_feed_->restore_frames(visual, std::move(frames));
  }
  void note_texts(std::span<const uint32_t> texts) final { (void)token_feed_->tokens(texts); }

 protected:
  // Whether embed() takes the bytes of a batch; otherwise it gets floats.
  virtual bool takes_bytes() const { return false; }
  // Puts the rows of a batch where its visuals stand in the job.
  virtual void embed(PixelBatch& batch, JobDone& done) const = 0;
  virtual models::Matrix embed(std::span<const models::TokenIds> texts) const = 0;
  // `visual` is one that was kept.
  virtual double score(const models::Ask& ask, const models::Cell& cell, uint32_t visual) const = 0;

  const NetworkParts& parts() const { return parts_; }
  const Table& plan() const { return *plan_; }
  int64_t frames_per_clip() const { return frames_per_clip_; }
  const PlanRows& visuals() const { return *visuals_; }
  size_t frames_of(uint32_t visual) const { return visual_feed_->frames_of(visual).size(); }
  std::span<const float> row_of_text(const models::Cell& cell) const {
    return texts_->row(plan_->text_id(cell.text));
  }

 private:
  Error moved(const Error& failure, uint32_t from, uint32_t to) const;
  void embed_or_split(PixelBatch&& batch, JobDone& done);
  models::Matrix embed_or_split(std::span<const models::TokenIds> texts);
  JobDone embed_visuals(const Job& job);
  JobDone embed_texts(const Job& job);
  bool is_row_exact() const { return parts_.network->facts().is_row_exact; }

  const NetworkParts parts_;
  int64_t frames_per_clip_;
  const Table* plan_ = nullptr;
  std::unique_ptr<VisualFeed> visual_feed_;
  std::unique_ptr<TokenFeed> token_feed_;
  std::unique_ptr<PlanRows> visuals_;
  std::unique_ptr<PlanRows> texts_;
  std::atomic<uint64_t> num_visuals_ = 0;
  std::atomic<uint64_t> num_texts_ = 0;
  std::atomic<uint64_t> num_splits_ = 0;
};

}  // namespace snellen::inference
