// SPDX-License-Identifier: Apache-2.0
// Models of clips: each clip and each text is embedded once; the text is adapted to the clip when
// the two meet.
#include "snellen/run/network/feeds.h"
#include "snellen/run/network/kept_rows.h"
#include "snellen/run/network/scorers.h"

namespace snellen::run {
namespace {

constexpr uint32_t kClipsAJob = 1;
constexpr uint32_t kTextsAJob = 256;

class VideoScorer : public Scorer {
 public:
  explicit VideoScorer(const NetworkParts& parts)
      : parts_(parts), video_(*parts.network->video()) {}

  AskPlanOptions plan_options() const override { return {.has_visuals = true, .has_pairs = false}; }
  uint32_t visuals_a_job() const override { return kClipsAJob; }
  uint32_t texts_a_job() const override { return kTextsAJob; }

  void start(const AskPlan& plan) override {
    plan_ = &plan;
    visual_feed_ = std::make_unique<VisualFeed>(
        plan, parts_, VisualFeed::Options{.frames_a_clip = video_.num_frames()});
    token_feed_ = std::make_unique<TokenFeed>(plan, parts_);
    clips_ = std::make_unique<KeptRows>(parts_.working_folder, plan.num_visuals());
    texts_ = std::make_unique<KeptRows>(parts_.working_folder, plan.num_texts());
  }

  JobDone work(const Job& job) override {
    return job.kind == Job::Kind::kVisuals ? embed_clips(job) : embed_texts(job);
  }
  void keep(JobDone&& done) override {
    (done.job.kind == Job::Kind::kVisuals ? *clips_ : *texts_).keep(done);
  }

  Result<std::vector<double>> score(const models::Ask& ask) const override {
    std::vector<double> scores;
    for (const models::Cell& cell : ask.cells) {
      uint32_t visual = visual_feed_->owner_of(plan_->visual_id(ask, cell.visual));
      if (const Error* failure = clips_->failure(visual)) return *failure;
      scores.push_back(video_
                           .score(matrix_of(clips_->row(visual)),
                                  matrix_of(texts_->row(plan_->text_id(cell.text))))
                           .values.front());
    }
    return scores;
  }

  uint32_t stands_for(uint32_t visual) const override { return visual_feed_->owner_of(visual); }

  WorkCounts counts() const override {
    WorkCounts counts{.decoded = visual_feed_->num_decoded(),
                      .visuals = num_clips_,
                      .texts = num_texts_,
                      .same_content = visual_feed_->num_same_content()};
    token_feed_->count(counts);
    return counts;
  }

 private:
  static models::Matrix matrix_of(std::span<const float> row) {
    return {.num_rows = 1, .num_columns = row.size(), .values = {row.begin(), row.end()}};
  }

  // A still picture is a clip that does not move.
  static void repeat_still(PixelBatch& batch, int64_t num_frames) {
    if (batch.num_frames == num_frames) return;
    SNELLEN_CHECK(batch.num_frames == 1);
    std::vector<float> one = batch.values;
    for (; batch.num_frames < num_frames; ++batch.num_frames)
      batch.values.insert(batch.values.end(), one.begin(), one.end());
  }

  JobDone embed_clips(const Job& job) {
    JobDone done{.job = job};
    for (PixelBatch& batch : batches_of(visual_feed_->feed(job, done.failures), is_row_exact())) {
      repeat_still(batch, video_.num_frames());
      models::Matrix rows = video_.embed_clips(batch.view());
      done.width = rows.num_columns;
      done.values = std::move(rows.values);
      ++num_clips_;
    }
    return done;
  }

  bool is_row_exact() const { return parts_.network->facts().is_row_exact; }

  JobDone embed_texts(const Job& job) {
    std::vector<models::TokenIds> tokens;
    for (uint32_t id = job.begin; id < job.end; ++id) tokens.push_back(token_feed_->tokens(id));
    models::Matrix rows =
        in_batches(tokens, is_row_exact(), [&](std::span<const models::TokenIds> some) {
          return video_.embed_texts(some);
        });
    num_texts_ += tokens.size();
    return {.job = job, .width = rows.num_columns, .values = std::move(rows.values)};
  }

  const NetworkParts parts_;
  const models::VideoEncoder& video_;
  const AskPlan* plan_ = nullptr;
  std::unique_ptr<VisualFeed> visual_feed_;
  std::unique_ptr<TokenFeed> token_feed_;
  std::unique_ptr<KeptRows> clips_;
  std::unique_ptr<KeptRows> texts_;
  std::atomic<uint64_t> num_clips_ = 0;
  std::atomic<uint64_t> num_texts_ = 0;
};

}  // namespace

std::unique_ptr<Scorer> make_video_scorer(const NetworkParts& parts) {
  return std::make_unique<VideoScorer>(parts);
}

}  // namespace snellen::run
