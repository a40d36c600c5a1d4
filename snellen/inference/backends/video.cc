// SPDX-License-Identifier: Apache-2.0
// Models of clips: each clip and each text is embedded once; the text is adapted to the clip when
// the two meet.
#include <fmt/format.h>

#include "snellen/inference/backends/embedding.h"
#include "snellen/inference/backends/backends.h"

namespace snellen::inference {
namespace {

constexpr uint32_t kClipsPerJob = 1;

models::Matrix matrix_of(std::span<const float> row) {
  return {.num_rows = 1, .num_columns = row.size(), .values = {row.begin(), row.end()}};
}

class VideoBackend final : public EmbeddingBackend {
 public:
  explicit VideoBackend(const NetworkParts& parts)
      : EmbeddingBackend(parts, parts.network->video()->num_frames()),
        video_(*parts.network->video()) {}

  uint32_t visuals_per_job() const override { return kClipsPerJob; }

 private:
  using EmbeddingBackend::score;

  // A still picture is a clip that does not move.
  void repeat_still(PixelBatch& batch) const {
    if (frames_of(batch.ids.front()) > 0) return;
    std::vector<float> one = batch.values;
    for (; batch.num_frames < frames_per_clip(); ++batch.num_frames)
      batch.values.insert(batch.values.end(), one.begin(), one.end());
  }

  void embed(PixelBatch& batch, JobDone& done) const override {
    repeat_still(batch);
    if (batch.num_frames != frames_per_clip()) {
      throw Error{
          ErrorCode::kUsage,
          fmt::format(
              "this model takes clips of {} frames, not {}", frames_per_clip(), batch.num_frames),
          "--sampler",
          "leave --sampler and --num-frames out"};
    }
    models::Matrix rows = video_.embed_clips(batch.view());
    done.width = rows.num_columns;
    done.values = std::move(rows.values);
  }

  models::Matrix embed(std::span<const models::TokenIds> texts) const override {
    return video_.embed_texts(texts);
  }

  double score(const models::Ask&, const models::Cell& cell, uint32_t visual) const override {
    return video_.score(matrix_of(visuals().row(visual)), matrix_of(row_of_text(cell)))
        .values.front();
  }

  const models::VideoEncoder& video_;
};

}  // namespace

std::unique_ptr<Backend> make_video_backend(const NetworkParts& parts) {
  return std::make_unique<VideoBackend>(parts);
}

}  // namespace snellen::inference
