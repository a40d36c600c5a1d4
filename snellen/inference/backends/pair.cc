// SPDX-License-Identifier: Apache-2.0
// Models that look at picture and text together: each picture is seen once and matched with every
// text that any item asks of it. Of a clip each frame is seen, and a text's scores are averaged
// over them (spec/vilma.md 5.5).
#include "snellen/metrics/choice/text_likelihood.h"
#include "snellen/inference/feeds.h"
#include "snellen/inference/rows/plan_rows.h"
#include "snellen/inference/backends/backends.h"

namespace snellen::inference {
namespace {

constexpr uint32_t kVisualsPerJob = 1;
constexpr int64_t kFramesPerClip = 8;

class PairBackend : public Backend {
 public:
  explicit PairBackend(const NetworkParts& parts) : parts_(parts) {}

  TableOptions plan_options() const override { return {.has_visuals = true, .has_pairs = true}; }
  uint32_t visuals_per_job() const override { return kVisualsPerJob; }
  uint32_t texts_per_job() const override { return 0; }

  void start(const Table& plan) override {
    plan_ = &plan;
    // Two files with the same bytes are asked different texts, so each is seen.
    visual_feed_ = std::make_unique<VisualFeed>(
        plan,
        parts_,
        VisualFeed::Options{.frames_per_clip = kFramesPerClip,
                            .pads_clips = !(parts_.is_compat && parts_.head == "likelihood"),
                            .shares_content = false,
                            .pixels = parts_.pixels,
                            .keeps_clips = parts_.is_asked_in_parts});
    token_feed_ = std::make_unique<TokenFeed>(plan, parts_);
    scores_ = std::make_unique<MappedRows>(parts_.working_folder, plan.num_pairs());
    failures_ = std::make_unique<PlanRows>(parts_.working_folder, plan.num_visuals());
  }

  JobDone work(const Job& job) override {
    JobDone done{.job = job};
    std::vector<PixelBatch> batches = timed(parts_.stages->reading, [&] {
      std::vector<PixelBatch> made = visual_feed_->batches(job, done.failures);
      for (PixelBatch& batch : made) batch.make_floats(*parts_.processor);
      return made;
    });
    for (const PixelBatch& batch : batches) {
      try {
        std::vector<float> scores = scores_of(batch);
        done.values.insert(done.values.end(), scores.begin(), scores.end());
      } catch (const std::exception& thrown) {
        if (!parts_.has_run_out(thrown)) throw;
        done.failures.emplace(batch.ids.front(), too_large(parts_));
      }
    }
    return done;
  }

  void keep(JobDone&& done) override {
    std::span<float> place = scores_->values(plan_->first_pair(done.job.begin), done.values.size());
    std::copy(done.values.begin(), done.values.end(), place.begin());
    done.values = {};
    failures_->keep(done);
  }

  Result<std::vector<double>> score(const models::Ask& ask) const override {
    std::vector<double> scores;
    const MappedRows& kept = *scores_;
    for (const models::Cell& cell : ask.cells) {
      uint32_t visual = plan_->visual_id(ask, cell.visual);
      if (const Error* failure = failures_->failure(visual)) return *failure;
      scores.push_back(kept.values(plan_->pair_id(visual, plan_->text_id(cell.text)), 1)[0]);
    }
    return scores;
  }

  models::Shown shown(const models::Ask& ask) const override {
    return {.kind = parts_.head == "likelihood" ? questions::ScoreKind::kLogLikelihood
                                                : questions::ScoreKind::kSimilarity,
            .frames = visual_feed_->frames_of(ask)};
  }

  WorkCounts counts() const override {
    WorkCounts counts{.decoded = visual_feed_->num_decoded(),
                      .visuals = num_visuals_,
                      .pairs = num_pairs_,
                      .same_content = visual_feed_->num_same_content(),
                      .splits = num_splits_};
    token_feed_->count(counts);
    return counts;
  }
  media::FrameIndices frames_seen(uint32_t visual) const override {
    return visual_feed_->frames_of(visual);
  }
  void restore_frames(uint32_t visual, media::FrameIndices&& frames) override {
    visual_feed_->restore_frames(visual, std::move(frames));
  }
  void note_texts(std::span<const uint32_t> texts) override { (void)token_feed_->tokens(texts); }

 protected:
  // What the network keeps of each picture.
  virtual models::SeenImages see(const models::PixelsView& pixels) const = 0;
  // One number a text, in the plan's order.
  virtual std::vector<double> match(const models::SeenImage& seen,
                                    std::span<const models::TokenIds> texts) const = 0;
  const NetworkParts& parts() const { return parts_; }
  bool is_row_exact() const { return parts_.network->facts().is_row_exact; }

 private:
  std::vector<float> scores_of(const PixelBatch& batch) {
    std::span<const uint32_t> texts = plan_->texts_of(batch.ids.front());
    std::vector<models::TokenIds> tokens = token_feed_->tokens(texts);
    std::vector<double> sums(texts.size(), 0.0);
    models::SeenImages all_seen;
    parts_.in_network([&] {
      all_seen = see_or_split(batch.view());
      for (const auto& seen : all_seen) {
        std::vector<double> scores = match_or_split(*seen, tokens);
        for (size_t i = 0; i < sums.size(); ++i) sums[i] += scores[i];
      }
    });
    ++num_visuals_;
    num_pairs_ += texts.size();
    std::vector<float> means;
    for (double sum : sums)
      means.push_back(static_cast<float>(sum / static_cast<double>(all_seen.size())));
    return means;
  }

  // Frames that the device has no memory for together are seen in halves, texts likewise. A single
  // one that does not fit throws.
  models::SeenImages see_or_split(const models::PixelsView& pixels) {
    try {
      parts_.check_memory(static_cast<size_t>(pixels.count));
      return see(pixels);
    } catch (const std::exception& thrown) {
      if (!parts_.has_run_out(thrown) || pixels.count == 1) throw;
    }
    ++num_splits_;
    const int64_t half = pixels.count / 2;
    const size_t at =
        pixels.values.size() / static_cast<size_t>(pixels.count) * static_cast<size_t>(half);
    models::PixelsView first = pixels;
    first.count = half;
    first.values = pixels.values.first(at);
    models::PixelsView second = pixels;
    second.count = pixels.count - half;
    second.values = pixels.values.subspan(at);
    models::SeenImages all = see_or_split(first);
    for (auto& seen : see_or_split(second)) all.push_back(std::move(seen));
    return all;
  }
  std::vector<double> match_or_split(const models::SeenImage& seen,
                                     std::span<const models::TokenIds> texts) {
    try {
      parts_.check_memory(texts.size());
      return match(seen, texts);
    } catch (const std::exception& thrown) {
      if (!parts_.has_run_out(thrown) || texts.size() == 1) throw;
    }
    ++num_splits_;
    std::vector<double> all = match_or_split(seen, texts.first(texts.size() / 2));
    for (double score : match_or_split(seen, texts.subspan(texts.size() / 2))) all.push_back(score);
    return all;
  }

  const NetworkParts parts_;
  const Table* plan_ = nullptr;
  std::unique_ptr<VisualFeed> visual_feed_;
  std::unique_ptr<TokenFeed> token_feed_;
  std::unique_ptr<MappedRows> scores_;
  std::unique_ptr<PlanRows> failures_;
  std::atomic<uint64_t> num_visuals_ = 0;
  std::atomic<uint64_t> num_pairs_ = 0;
  std::atomic<uint64_t> num_splits_ = 0;
};

class MatchBackend final : public PairBackend {
 public:
  using PairBackend::PairBackend;

 private:
  models::SeenImages see(const models::PixelsView& pixels) const override {
    return parts().network->pair()->see(pixels);
  }

  std::vector<double> match(const models::SeenImage& seen,
                            std::span<const models::TokenIds> texts) const override {
    const models::PairScorer& pair = *parts().network->pair();
    models::Matrix logits =
        in_batches(texts, is_row_exact(), [&](std::span<const models::TokenIds> some) {
          return pair.match(seen, some);
        });
    std::vector<double> scores;
    for (size_t i = 0; i < logits.num_rows; ++i)
      scores.push_back(logits.row(i)[pair.score_column()]);
    return scores;
  }
};

class ShownLikelihoodBackend final : public PairBackend {
 public:
  using PairBackend::PairBackend;

 private:
  models::SeenImages see(const models::PixelsView& pixels) const override {
    return parts().network->language()->see(pixels);
  }

  std::vector<double> match(const models::SeenImage& seen,
                            std::span<const models::TokenIds> texts) const override {
    auto all = in_batches(texts, is_row_exact(), [&](std::span<const models::TokenIds> some) {
      return parts().network->language()->log_probabilities(some, &seen);
    });
    std::vector<double> scores;
    scores.reserve(all.size());
    for (const std::vector<double>& text : all)
      scores.push_back(log_likelihood(text, parts().is_compat));
    return scores;
  }
};

}  // namespace

std::unique_ptr<Backend> make_pair_backend(const NetworkParts& parts) {
  return std::make_unique<MatchBackend>(parts);
}

std::unique_ptr<Backend> make_shown_likelihood_backend(const NetworkParts& parts) {
  return std::make_unique<ShownLikelihoodBackend>(parts);
}

}  // namespace snellen::inference
