// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "snellen/inference/backends/backends.h"

namespace snellen::inference {
namespace {

constexpr uint32_t kClipsPerJob = 1;
constexpr uint32_t kTextsPerJob = 64;
constexpr uint32_t kTextsPerJobOnGpu = 256;

models::Matrix matrix_of(std::span<const float> row) {
  return {.num_rows = 1, .num_columns = row.size(), .values = {row.begin(), row.end()}};
}

class VideoBackend final : public Backend {
 public:
  explicit VideoBackend(const NetworkParts& parts) : video_(*parts.network().video()) {
    traits_ = {.visuals_per_job = kClipsPerJob,
               .texts_per_job = parts.gpu_batch > 0 ? kTextsPerJobOnGpu : kTextsPerJob,
               .frames_per_clip = video_.num_frames(),
               .fixed_frames = video_.num_frames()};
  }
  const BackendTraits& traits() const override { return traits_; }

  models::Matrix embed_visuals(PixelBatch& batch) const override {
    if (!batch.has_clips) repeat_still(batch);
    if (batch.num_frames != video_.num_frames()) {
      throw Error{
          ErrorCode::kUsage,
          fmt::format(
              "this model takes clips of {} frames, not {}", video_.num_frames(), batch.num_frames),
          "--sampler",
          "leave --sampler and --num-frames out"};
    }
    return video_.embed_clips(batch.view());
  }
  models::Matrix embed_texts(std::span<const models::TokenIds> texts) const override {
    return video_.embed_texts(texts);
  }
  double score(std::span<const float> visual, std::span<const float> text) const override {
    return video_.score(matrix_of(visual), matrix_of(text)).values.front();
  }

 private:
  // A still picture is a clip that does not move.
  void repeat_still(PixelBatch& batch) const {
    const std::vector<float> one = batch.values;
    for (; batch.num_frames < video_.num_frames(); ++batch.num_frames)
      batch.values.insert(batch.values.end(), one.begin(), one.end());
  }

  const models::VideoEncoder& video_;
  BackendTraits traits_;
};

}  // namespace

std::unique_ptr<Backend> make_video_backend(const NetworkParts& parts) {
  return std::make_unique<VideoBackend>(parts);
}

}  // namespace snellen::inference
