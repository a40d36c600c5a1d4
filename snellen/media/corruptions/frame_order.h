// SPDX-License-Identifier: Apache-2.0
// What a control does to the order of a clip's frames: does a score on video need time?
#pragma once

#include <optional>
#include <string_view>

#include "snellen/media/corruptions/corruption.h"
#include "snellen/media/video/frame_sampling.h"

namespace snellen::media {

enum class FrameOrder {
  kReverse,  // from the last to the first
  kShuffle,  // a random permutation that is not the order they came in
  kFreeze,   // the middle one, as often as there are frames
  kOne,      // the middle one alone
};

// "reverse", "frameshuffle", "freeze", "oneframe" of the catalogue; nothing for other corruptions.
std::optional<FrameOrder> frame_order_of(std::string_view corruption);

// The sampled frames as the control shows them. The middle one of n is number n / 2, counted from
// 0. A shuffle draws again until the sequence differs; frames that are all the same one stay.
FrameIndices in_order(FrameIndices sampled, FrameOrder order, const CorruptionKey& key);

}  // namespace snellen::media
