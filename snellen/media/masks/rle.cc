// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/rle.h"

#include <algorithm>

namespace snellen::media {
namespace {

Error sum_error(uint64_t sum, int64_t height, int64_t width) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("runs cover {} pixels, the mask has {} x {}", sum, height, width),
               "RLE",
               "the runs must add up to height times width; check that 'size' is [height, width]"};
}

Rle merge_two(const Rle& left, const Rle& right, MergeRule rule) {
  Rle out{.height = left.height, .width = left.width, .counts = {}};
  out.counts.reserve(left.counts.size() + right.counts.size());
  uint32_t left_run = left.counts.empty() ? 0 : left.counts[0];
  uint32_t right_run = right.counts.empty() ? 0 : right.counts[0];
  size_t left_next = 1;
  size_t right_next = 1;
  bool in_left = false;
  bool in_right = false;
  bool is_marked = false;
  uint32_t run = 0;
  uint64_t remaining = 1;
  while (remaining > 0) {
    uint32_t step = std::min(left_run, right_run);
    run += step;
    left_run -= step;
    right_run -= step;
    if (left_run == 0 && left_next < left.counts.size()) {
      left_run = left.counts[left_next++];
      in_left = !in_left;
    }
    if (right_run == 0 && right_next < right.counts.size()) {
      right_run = right.counts[right_next++];
      in_right = !in_right;
    }
    remaining = uint64_t{left_run} + right_run;
    bool was_marked = is_marked;
    is_marked = rule == MergeRule::kIntersection ? in_left && in_right : in_left || in_right;
    if (is_marked != was_marked || remaining == 0) {
      out.counts.push_back(run);
      run = 0;
    }
  }
  return out;
}

}  // namespace

Result<uint64_t> checked_mask_pixels(int64_t height, int64_t width, const MaskLimits& limits) {
  // The sides are checked one by one first, so that their product cannot overflow.
  bool is_sound = height > 0 && width > 0 && static_cast<uint64_t>(height) <= limits.max_pixels &&
                  static_cast<uint64_t>(width) <= limits.max_pixels &&
                  height < (int64_t{1} << 31) && width < (int64_t{1} << 31);
  uint64_t pixels = is_sound ? static_cast<uint64_t>(height) * static_cast<uint64_t>(width) : 0;
  if (is_sound && pixels <= limits.max_pixels && pixels < (uint64_t{1} << 32)) return pixels;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("a mask of height {} and width {} is outside 1..{} pixels",
                           height,
                           width,
                           limits.max_pixels),
               "mask",
               "check 'size' or the picture's sides"};
}

Result<Rle> rle_of_counts(std::span<const uint64_t> counts,
                          int64_t height,
                          int64_t width,
                          const MaskLimits& limits) {
  Result<uint64_t> pixels = checked_mask_pixels(height, width, limits);
  if (!pixels) return pixels.error();
  Rle rle{.height = static_cast<int>(height), .width = static_cast<int>(width), .counts = {}};
  // Every run but the first may be 0 long in a file, so the list can be longer than the mask.
  if (counts.size() > 2 * *pixels + 2) return sum_error(counts.size(), height, width);
  rle.counts.reserve(counts.size());
  uint64_t sum = 0;
  for (uint64_t count : counts) {
    if (count > *pixels - sum) return sum_error(sum + std::min(count, *pixels), height, width);
    sum += count;
    rle.counts.push_back(static_cast<uint32_t>(count));
  }
  if (sum != *pixels) return sum_error(sum, height, width);
  return rle;
}

Rle blank_rle(int height, int width) {
  SNELLEN_CHECK(height > 0 && width > 0);
  uint64_t pixels = static_cast<uint64_t>(height) * static_cast<uint64_t>(width);
  SNELLEN_CHECK(pixels < (uint64_t{1} << 32));
  return {.height = height, .width = width, .counts = {static_cast<uint32_t>(pixels)}};
}

void RleMerger::merge_last_two() {
  Part last = std::move(parts_.back());
  parts_.pop_back();
  Part& before = parts_.back();
  before.mask = merge_two(before.mask, last.mask, rule_);
  before.num_masks += last.num_masks;
}

void RleMerger::add(Rle mask) {
  SNELLEN_CHECK(parts_.empty() || (mask.height == parts_.front().mask.height &&
                                   mask.width == parts_.front().mask.width));
  parts_.push_back({std::move(mask), 1});
  while (parts_.size() > 1 && parts_[parts_.size() - 2].num_masks <= parts_.back().num_masks)
    merge_last_two();
}

std::optional<Rle> RleMerger::take() {
  if (parts_.empty()) return std::nullopt;
  while (parts_.size() > 1) merge_last_two();
  Rle merged = std::move(parts_.front().mask);
  parts_.clear();
  return merged;
}

Rle merge(std::span<const Rle> masks, MergeRule rule) {
  SNELLEN_CHECK(!masks.empty());
  RleMerger merger(rule);
  for (const Rle& mask : masks) merger.add(mask);
  return *merger.take();
}

uint64_t area_of(const Rle& rle) {
  uint64_t area = 0;
  for (size_t i = 1; i < rle.counts.size(); i += 2) area += rle.counts[i];
  return area;
}

MaskBox box_of(const Rle& rle) {
  auto height = static_cast<uint64_t>(rle.height);
  uint64_t left = static_cast<uint64_t>(rle.width);
  uint64_t top = height;
  uint64_t right = 0;
  uint64_t bottom = 0;
  uint64_t position = 0;
  size_t num_runs = rle.counts.size() / 2 * 2;
  if (area_of(rle) == 0) return {};
  for (size_t i = 0; i + 1 < num_runs; i += 2) {
    uint64_t begin = position + rle.counts[i];
    position = begin + rle.counts[i + 1];
    if (position == begin) continue;
    uint64_t first = begin / height;
    uint64_t last = (position - 1) / height;
    left = std::min(left, first);
    right = std::max(right, last);
    top = std::min(top, first < last ? 0 : begin % height);
    bottom = std::max(bottom, first < last ? height - 1 : (position - 1) % height);
  }
  return {.x = static_cast<uint32_t>(left),
          .y = static_cast<uint32_t>(top),
          .width = static_cast<uint32_t>(right - left + 1),
          .height = static_cast<uint32_t>(bottom - top + 1)};
}

}  // namespace snellen::media
