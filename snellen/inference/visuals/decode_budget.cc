// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/decode_budget.h"

#include <algorithm>
#include <thread>

#include "snellen/media/codecs/decode.h"

namespace snellen::inference {
namespace {

constexpr uint64_t kBytesPerCore = uint64_t{64} << 20;
constexpr uint64_t kLeastBytes = uint64_t{1} << 30;
// RGB, and as much again for what decoders keep beside it: rows of palettes and alpha, and two
// bytes for each coefficient of a progressive JPEG.
constexpr uint64_t kBytesPerPixel = 9;

}  // namespace

uint64_t DecodeBudget::usual_bytes() {
  return std::max(kLeastBytes, kBytesPerCore * std::thread::hardware_concurrency());
}

uint64_t DecodeBudget::bytes_to_decode(std::string_view encoded) {
  const Result<media::ImageInfo> info = media::image_info(encoded, "");
  if (!info) return 0;
  return kBytesPerPixel * static_cast<uint64_t>(info->width) * static_cast<uint64_t>(info->height);
}

DecodeBudget::Share::Share(DecodeBudget& budget, uint64_t bytes)
    : budget_(budget), bytes_(std::min(bytes, budget.bytes_)) {
  {
    std::unique_lock lock(budget_.mutex_);
    const uint64_t turn = budget_.num_asked_++;
    budget_.changed_.wait(lock, [&] {
      return budget_.num_given_ == turn && budget_.used_ + bytes_ <= budget_.bytes_;
    });
    ++budget_.num_given_;
    budget_.used_ += bytes_;
  }
  budget_.changed_.notify_all();
}

DecodeBudget::Share::~Share() {
  {
    std::lock_guard lock(budget_.mutex_);
    budget_.used_ -= bytes_;
  }
  budget_.changed_.notify_all();
}

}  // namespace snellen::inference
