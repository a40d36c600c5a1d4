// SPDX-License-Identifier: Apache-2.0
// Which stretches of a video with repetitions may be asked about, and which wrong counts
// (docs/spec/vilma.md 7.2).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "snellen/base/rng.h"

namespace snellen::builders::vilma {

enum class Instrument {
  kEasy,  // true counts up to the threshold, wrong ones above it
  kHard,  // the other way round
};

struct CountRule {
  uint64_t threshold = 3;
  uint64_t max_count = 10;
};

struct SubClip {
  int64_t start = 0;  // frames: the end of a repetition, or 0
  int64_t end = 0;
  uint64_t count = 0;  // repetitions in between

  bool operator==(const SubClip&) const = default;
};

// All stretches in the order of their start, then of their count; `ends` are the frames at which
// repetitions end, not falling.
std::vector<SubClip> sub_clips(std::span<const int64_t> ends,
                               Instrument instrument,
                               CountRule rule);

// How often each count can be cut from the videos: what wrong counts are drawn from.
class FoilCounts {
 public:
  FoilCounts(Instrument instrument, CountRule rule) : instrument_(instrument), rule_(rule) {}

  void add_video(uint64_t num_repetitions);
  bool is_empty() const { return total_ == 0; }
  // One draw; needs a count to draw.
  uint64_t draw(Rng& rng) const;
  const std::map<uint64_t, uint64_t>& weights() const { return weights_; }

 private:
  Instrument instrument_;
  CountRule rule_;
  std::map<uint64_t, uint64_t> weights_;
  uint64_t total_ = 0;
};

}  // namespace snellen::builders::vilma
