// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "snellen/inference/backends/backends.h"
#include "snellen/inference/backends/two_rows.h"

namespace snellen::inference {
namespace {

// A CPU thread gains nothing from more at once; what a job takes of the memory grows with them.
constexpr uint32_t kVisualsPerJob = 8;
constexpr uint32_t kTextsPerJob = 64;
constexpr uint32_t kTextsPerJobOnGpu = 256;

constexpr std::array<float, 3 * 256> kZeros = {};

class DualBackend final : public TwoRowsBackend {
 public:
  explicit DualBackend(const NetworkParts& parts)
      : TwoRowsBackend(parts.network().dual()->similarity(
            parts.head == kMeanPooling ? parts.network().facts().heads.front() : parts.head)),
        opened_(*parts.opened),
        dual_(*parts.network().dual()) {
    const bool is_on_gpu = parts.gpu_batch > 0;
    const bool is_pooled = parts.head == kMeanPooling;
    traits_ = {.visuals_per_job = is_on_gpu ? parts.gpu_batch : kVisualsPerJob,
               .texts_per_job = is_on_gpu ? kTextsPerJobOnGpu : kTextsPerJob,
               .pads_clips = !is_pooled,
               .has_rows_per_frame = true,
               .pools_frames = is_pooled,
               .takes_bytes = static_cast<bool>(opened_.stage),
               .has_directions = similarity().image_vectors == 1,
               .clip_kind = is_pooled ? questions::ScoreKind::kSimilarity
                                      : questions::ScoreKind::kProbability};
  }
  const BackendTraits& traits() const override { return traits_; }

  models::Matrix embed_visuals(PixelBatch& batch) const override {
    if (opened_.stage) {
      batch.staged = opened_.stage({.count = batch.num_frames,
                                    .height = batch.height,
                                    .width = batch.width,
                                    .bytes = batch.bytes,
                                    .table = batch.is_masked ? kZeros : opened_.processor->table(),
                                    .on_device = batch.on_device.get(),
                                    .first = batch.first_on_device});
    }
    return dual_.embed_images(batch.view());
  }
  models::Matrix embed_texts(std::span<const models::TokenIds> texts) const override {
    return dual_.embed_texts(texts);
  }

 private:
  const OpenedNetwork& opened_;
  const models::DualEncoder& dual_;
  BackendTraits traits_;
};

}  // namespace

std::unique_ptr<Backend> make_dual_backend(const NetworkParts& parts) {
  return std::make_unique<DualBackend>(parts);
}

}  // namespace snellen::inference
