// SPDX-License-Identifier: Apache-2.0
// Dual encoders: each side embedded once, scores are products. A clip is its frames: the share that
// each frame gives to every text of the item, averaged over the frames (spec/vilma.md 5.2).
#include <algorithm>

#include "snellen/metrics/text_likelihood.h"
#include "snellen/models/similarity.h"
#include "snellen/run/network/feeds.h"
#include "snellen/run/network/kept_rows.h"
#include "snellen/run/network/scorers.h"

namespace snellen::run {
namespace {

constexpr uint32_t kVisualsAJob = 8;
constexpr uint32_t kVisualsAJobOnGpu = 64;
constexpr uint32_t kTextsAJob = 256;
constexpr int64_t kFramesAClip = 8;

class DualScorer : public Scorer {
 public:
  explicit DualScorer(const NetworkParts& parts)
      : parts_(parts), dual_(*parts.network->dual()), similarity_(dual_.similarity(parts.head)) {}

  AskPlanOptions plan_options() const override { return {.has_visuals = true, .has_pairs = false}; }
  uint32_t visuals_a_job() const override {
    return parts_.is_on_gpu ? kVisualsAJobOnGpu : kVisualsAJob;
  }
  uint32_t texts_a_job() const override { return kTextsAJob; }

  void start(const AskPlan& plan) override {
    plan_ = &plan;
    visual_feed_ = std::make_unique<VisualFeed>(
        plan, parts_, VisualFeed::Options{.frames_a_clip = kFramesAClip});
    token_feed_ = std::make_unique<TokenFeed>(plan, parts_);
    visuals_ = std::make_unique<KeptRows>(parts_.working_folder, plan.num_visuals());
    texts_ = std::make_unique<KeptRows>(parts_.working_folder, plan.num_texts());
    for (uint32_t id = 0; id < plan.num_visuals() && frames_ == 1; ++id) {
      if (plan.visual(id) && plan.visual(id)->clip) frames_ = kFramesAClip;
    }
  }

  JobDone work(const Job& job) override {
    return job.kind == Job::Kind::kVisuals ? embed_visuals(job) : embed_texts(job);
  }

  void keep(JobDone&& done) override {
    (done.job.kind == Job::Kind::kVisuals ? *visuals_ : *texts_).keep(done);
  }

  Result<std::vector<double>> score(const models::Ask& ask) const override {
    std::vector<double> scores;
    scores.reserve(ask.cells.size());
    for (const models::Cell& cell : ask.cells) {
      uint32_t visual = visual_feed_->owner_of(plan_->visual_id(ask, cell.visual));
      if (const Error* failure = visuals_->failure(visual)) return *failure;
      scores.push_back(is_clip(visual) ? clip_share(ask, cell, visual)
                                       : models::score_of(image_row(visual),
                                                          texts_->row(plan_->text_id(cell.text)),
                                                          similarity_));
    }
    return scores;
  }

  uint32_t stands_for(uint32_t visual) const override { return visual_feed_->owner_of(visual); }

  WorkCounts counts() const override {
    WorkCounts counts{.decoded = visual_feed_->num_decoded(),
                      .visuals = num_visuals_,
                      .texts = num_texts_,
                      .same_content = visual_feed_->num_same_content()};
    token_feed_->count(counts);
    return counts;
  }

 private:
  bool is_clip(uint32_t visual) const { return plan_->visual(visual)->clip.has_value(); }
  size_t frame_width() const { return visuals_->width() / static_cast<size_t>(frames_); }
  std::span<const float> image_row(uint32_t visual, size_t frame = 0) const {
    return visuals_->row(visual).subspan(frame * frame_width(), frame_width());
  }

  // Rows have room for the frames of a clip where the run has any.
  JobDone embed_visuals(const Job& job) {
    JobDone done{.job = job};
    for (const PixelBatch& batch :
         batches_of(visual_feed_->feed(job, done.failures), is_row_exact())) {
      models::Matrix rows = dual_.embed_images(batch.view());
      size_t width = rows.num_columns;
      done.width = width * static_cast<size_t>(frames_);
      done.values.resize(done.width * (job.end - job.begin));
      size_t frame = 0;
      for (uint32_t id : batch.ids) {
        size_t count = is_clip(id) ? static_cast<size_t>(kFramesAClip) : 1;
        for (size_t i = 0; i < count; ++i, ++frame) {
          std::span<const float> row = rows.row(frame);
          std::span<float> place =
              std::span(done.values).subspan((id - job.begin) * done.width + i * width, width);
          std::copy(row.begin(), row.end(), place.begin());
          models::make_ready(place, similarity_.image_vectors, similarity_);
        }
      }
      num_visuals_ += batch.ids.size();
    }
    return done;
  }

  bool is_row_exact() const { return parts_.network->facts().is_row_exact; }

  JobDone embed_texts(const Job& job) {
    std::vector<models::TokenIds> tokens;
    for (uint32_t id = job.begin; id < job.end; ++id) tokens.push_back(token_feed_->tokens(id));
    models::Matrix rows =
        in_batches(tokens, is_row_exact(), [&](std::span<const models::TokenIds> some) {
          return dual_.embed_texts(some);
        });
    for (size_t i = 0; i < rows.num_rows; ++i) {
      models::make_ready(
          std::span(rows.values).subspan(i * rows.num_columns, rows.num_columns), 1, similarity_);
    }
    num_texts_ += tokens.size();
    return {.job = job, .width = rows.num_columns, .values = std::move(rows.values)};
  }

  double clip_share(const models::Ask& ask, const models::Cell& cell, uint32_t visual) const {
    metrics::FrameTextTable logits(static_cast<size_t>(kFramesAClip));
    size_t place = 0;
    for (const models::Cell& other : ask.cells) {
      if (other.visual != cell.visual) continue;
      if (&other == &cell) place = logits.front().size();
      std::span<const float> text = texts_->row(plan_->text_id(other.text));
      for (size_t frame = 0; frame < logits.size(); ++frame)
        logits[frame].push_back(models::score_of(image_row(visual, frame), text, similarity_));
    }
    return metrics::mean_frame_softmax(logits)[place];
  }

  const NetworkParts parts_;
  const models::DualEncoder& dual_;
  models::Similarity similarity_;
  const AskPlan* plan_ = nullptr;
  int64_t frames_ = 1;
  std::unique_ptr<VisualFeed> visual_feed_;
  std::unique_ptr<TokenFeed> token_feed_;
  std::unique_ptr<KeptRows> visuals_;
  std::unique_ptr<KeptRows> texts_;
  std::atomic<uint64_t> num_visuals_ = 0;
  std::atomic<uint64_t> num_texts_ = 0;
};

}  // namespace

std::unique_ptr<Scorer> make_dual_scorer(const NetworkParts& parts) {
  return std::make_unique<DualScorer>(parts);
}

}  // namespace snellen::run
