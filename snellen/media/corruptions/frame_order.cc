// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/frame_order.h"

#include <algorithm>

#include "snellen/media/corruptions/noise_stream.h"

namespace snellen::media {
namespace {

FrameIndices shuffled(const FrameIndices& sampled, const CorruptionKey& key) {
  const bool is_one =
      std::adjacent_find(sampled.begin(), sampled.end(), std::not_equal_to<>()) == sampled.end();
  if (is_one) return sampled;
  SplitMixStream stream(NoiseKey{.seed = key.seed,
                                 .image_id = key.image_id,
                                 .level = "frameshuffle",
                                 .replicate = key.replicate});
  FrameIndices order = sampled;
  while (order == sampled) {
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  }
  return order;
}

}  // namespace

std::optional<FrameOrder> frame_order_of(std::string_view corruption) {
  if (corruption == "reverse") return FrameOrder::kReverse;
  if (corruption == "frameshuffle") return FrameOrder::kShuffle;
  if (corruption == "freeze") return FrameOrder::kFreeze;
  if (corruption == "oneframe") return FrameOrder::kOne;
  return std::nullopt;
}

FrameIndices in_order(FrameIndices sampled, FrameOrder order, const CorruptionKey& key) {
  if (sampled.empty()) return sampled;
  const int64_t middle = sampled[sampled.size() / 2];
  switch (order) {
    case FrameOrder::kReverse:
      std::reverse(sampled.begin(), sampled.end());
      return sampled;
    case FrameOrder::kShuffle:
      return shuffled(sampled, key);
    case FrameOrder::kFreeze:
      std::fill(sampled.begin(), sampled.end(), middle);
      return sampled;
    case FrameOrder::kOne:
      return {middle};
  }
  return sampled;
}

}  // namespace snellen::media
