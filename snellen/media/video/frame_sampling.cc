// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/frame_sampling.h"

#include <algorithm>
#include <cmath>

#include "snellen/base/parse_number.h"

namespace snellen::media {
namespace {

// More frames than any clip shows; keeps the products below free of overflow.
constexpr int64_t kMostFrames = int64_t{1} << 30;

// All frames, then the last one again up to `count`.
FrameIndices padded(int64_t num_frames, int64_t count) {
  FrameIndices indices;
  for (int64_t i = 0; i < count; ++i) indices.push_back(std::min(i, num_frames - 1));
  return indices;
}

// numpy: linspace(start, end, count).clip(start, end - 1).astype(int64).
FrameIndices spread(int64_t start, int64_t end, int64_t count) {
  FrameIndices indices;
  const auto first = static_cast<double>(start);
  const double step =
      count > 1 ? static_cast<double>(end - start) / static_cast<double>(count - 1) : 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<int64_t>(static_cast<double>(i) * step + first);
    indices.push_back(std::clamp(index, start, end - 1));
  }
  return indices;
}

}  // namespace

FrameIndices uniform_frames(int64_t num_frames, int64_t count) {
  SNELLEN_CHECK(num_frames > 0 && count > 0 && num_frames < kMostFrames && count < kMostFrames);
  if (num_frames < count) return padded(num_frames, count);
  FrameIndices indices;
  for (int64_t i = 0; i < count; ++i) indices.push_back((2 * i + 1) * num_frames / (2 * count));
  return indices;
}

int64_t WindowSampler::draw(int64_t low, int64_t high) {
  const auto range = static_cast<uint32_t>(high - low);
  if (range == 0) return low;
  uint32_t mask = range;
  for (int shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
  uint32_t word = 0;
  do {
    word = static_cast<uint32_t>(words_()) & mask;
  } while (word > range);
  return low + word;
}

WindowSampler::Window WindowSampler::next(int64_t num_frames, int64_t count, int64_t rate) {
  SNELLEN_CHECK(num_frames > 0 && count > 0 && rate > 0 && num_frames < kMostFrames &&
                count < kMostFrames / rate);
  if (num_frames <= count) return {std::nullopt, padded(num_frames, count)};
  const int64_t length = count * rate;
  if (num_frames <= length) return {std::nullopt, spread(0, num_frames, count)};
  const int64_t end = draw(length, num_frames - 1);
  return {end, spread(end - length, end, count)};
}

FrameIndices violet_frames(int64_t num_frames) {
  SNELLEN_CHECK(num_frames > 0 && num_frames < kMostFrames);
  return {0, 2 * num_frames / 6, 3 * num_frames / 6, num_frames - 1};
}

FrameIndices summary_frames_compat(int64_t num_frames, int64_t count) {
  SNELLEN_CHECK(num_frames > 0 && count > 0);
  const int64_t step = num_frames / count + (num_frames % count == 0 ? 0 : 1);
  FrameIndices indices;
  for (int64_t index = 0; index < num_frames - 1; index += step) indices.push_back(index);
  return indices;
}

FrameIndices frames_at_rate(std::span<const double> seconds, double fps, size_t max_count) {
  SNELLEN_CHECK(!seconds.empty() && fps > 0);
  FrameIndices indices;
  size_t shown = 0;
  while (indices.size() < max_count) {
    const double time = seconds[0] + static_cast<double>(indices.size()) / fps;
    // Half a microsecond: 1/3 s may not miss a frame stamped 0.333333.
    if (time > seconds.back() + 5e-7) break;
    while (shown + 1 < seconds.size() && seconds[shown + 1] <= time + 5e-7) ++shown;
    indices.push_back(static_cast<int64_t>(shown));
  }
  return indices;
}

Result<FrameSampler> FrameSampler::parse(std::string_view text, int64_t num_frames) {
  FrameSampler sampler;
  sampler.num_frames = num_frames;
  if (num_frames < 1 || num_frames >= kMostFrames) {
    return Error{ErrorCode::kUsage,
                 fmt::format("{} frames are asked for, expected at least 1", num_frames),
                 "--num-frames"};
  }
  if (text == "uniform") return sampler;
  if (text == "window" || text == "all") {
    sampler.kind = text == "all" ? Kind::kAll : Kind::kWindow;
    return sampler;
  }
  constexpr std::string_view kRatePrefix = "fps:";
  if (text.starts_with(kRatePrefix)) {
    sampler.fps = parse_number<double>(text.substr(kRatePrefix.size())).value_or(0);
    sampler.kind = Kind::kRate;
    if (std::isfinite(sampler.fps) && sampler.fps > 0) return sampler;
  }
  return Error{ErrorCode::kUsage,
               fmt::format("unknown sampler '{}'", text),
               "--sampler",
               "one of uniform, window, all, fps:N"};
}

}  // namespace snellen::media
