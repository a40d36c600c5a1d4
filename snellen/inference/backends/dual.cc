// SPDX-License-Identifier: Apache-2.0
// Dual encoders: each side embedded once, scores are products. A clip is its frames: the share that
// each frame gives to every text of the item, averaged over the frames (spec/vilma.md 5.2).
#include <algorithm>
#include <array>

#include "snellen/metrics/choice/text_likelihood.h"
#include "snellen/models/similarity.h"
#include "snellen/inference/backends/embedding.h"
#include "snellen/inference/backends/backends.h"

namespace snellen::inference {
namespace {

constexpr uint32_t kVisualsPerJob = 8;
constexpr int64_t kFramesPerClip = 8;

constexpr std::array<float, 3 * 256> kZeros = {};

class DualBackend final : public EmbeddingBackend {
 public:
  explicit DualBackend(const NetworkParts& parts)
      : EmbeddingBackend(parts, kFramesPerClip),
        dual_(*parts.network->dual()),
        similarity_(dual_.similarity(parts.head)) {}

  uint32_t visuals_per_job() const override {
    return parts().gpu_batch > 0 ? parts().gpu_batch : kVisualsPerJob;
  }

  void start(const Table& plan) override {
    EmbeddingBackend::start(plan);
    for (uint32_t id = 0; id < plan.num_visuals(); ++id) {
      if (plan.visual(id) && plan.visual(id)->clip)
        frames_per_row_ = std::max(frames_per_row_, most_frames(*plan.visual(id)));
    }
  }

  size_t parts_per_row() const override { return frames_per_row_; }

  models::Shown shown(const models::Ask& ask) const override {
    models::Shown shown = EmbeddingBackend::shown(ask);
    if (!shown.frames.empty()) shown.kind = questions::ScoreKind::kProbability;
    return shown;
  }

 private:
  using EmbeddingBackend::score;

  // Room is kept for as many; what is not used of the mapped rows costs nothing.
  size_t most_frames(const media::VisualPlace& place) const {
    if (!place.frames.empty()) return place.frames.size();
    if (!place.sampler) return static_cast<size_t>(frames_per_clip());
    using Kind = media::FrameSampler::Kind;
    const bool is_fixed =
        place.sampler->kind == Kind::kUniform || place.sampler->kind == Kind::kWindow;
    if (!is_fixed) return VisualReader::kMostFrames;
    return static_cast<size_t>(place.sampler->num_frames > 0 ? place.sampler->num_frames
                                                             : frames_per_clip());
  }
  size_t rows_of(uint32_t visual) const { return std::max<size_t>(1, frames_of(visual)); }
  std::span<const float> frame_row(uint32_t visual, size_t frame) const {
    size_t width = visuals().width() / frames_per_row_;
    return visuals().row(visual).subspan(frame * width, width);
  }

  bool takes_bytes() const override { return static_cast<bool>(parts().stage); }

  // Rows have room for the frames of a clip where the run has any.
  void embed(PixelBatch& batch, JobDone& done) const override {
    if (takes_bytes()) {
      batch.staged = parts().stage({.count = batch.num_frames,
                                    .height = batch.height,
                                    .width = batch.width,
                                    .bytes = batch.bytes,
                                    .table = batch.is_masked ? kZeros : parts().processor->table(),
                                    .on_device = batch.on_device.get(),
                                    .first = batch.first_on_device});
    }
    models::Matrix rows = dual_.embed_images(batch.view());
    size_t width = rows.num_columns;
    done.width = width * frames_per_row_;
    done.values.resize(done.width * (done.job.end - done.job.begin));
    size_t from = 0;
    for (uint32_t id : batch.ids) {
      for (size_t frame = 0; frame < rows_of(id); ++frame, ++from) {
        std::span<const float> row = rows.row(from);
        size_t to = (id - done.job.begin) * done.width + frame * width;
        std::span<float> place = std::span(done.values).subspan(to, width);
        std::copy(row.begin(), row.end(), place.begin());
        models::make_ready(place, similarity_.image_vectors, similarity_);
      }
    }
  }

  models::Matrix embed(std::span<const models::TokenIds> texts) const override {
    models::Matrix rows = dual_.embed_texts(texts);
    for (size_t i = 0; i < rows.num_rows; ++i) {
      models::make_ready(
          std::span(rows.values).subspan(i * rows.num_columns, rows.num_columns), 1, similarity_);
    }
    return rows;
  }

  double score(const models::Ask& ask, const models::Cell& cell, uint32_t visual) const override {
    if (!plan().visual(visual)->clip)
      return models::score_of(frame_row(visual, 0), row_of_text(cell), similarity_);
    metrics::FrameTextTable logits(rows_of(visual));
    size_t place = 0;
    for (const models::Cell& other : ask.cells) {
      if (other.visual != cell.visual) continue;
      if (&other == &cell) place = logits.front().size();
      for (size_t frame = 0; frame < logits.size(); ++frame)
        logits[frame].push_back(
            models::score_of(frame_row(visual, frame), row_of_text(other), similarity_));
    }
    return metrics::mean_frame_softmax(logits)[place];
  }

  const models::DualEncoder& dual_;
  models::Similarity similarity_;
  size_t frames_per_row_ = 1;
};

}  // namespace

std::unique_ptr<Backend> make_dual_backend(const NetworkParts& parts) {
  return std::make_unique<DualBackend>(parts);
}

}  // namespace snellen::inference
