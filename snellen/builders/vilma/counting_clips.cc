// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/counting_clips.h"

#include <algorithm>

#include "snellen/base/error.h"

namespace snellen::builders::vilma {

std::vector<SubClip> sub_clips(std::span<const int64_t> ends,
                               Instrument instrument,
                               CountRule rule) {
  const uint64_t most = std::min<uint64_t>(rule.max_count, ends.size());
  const uint64_t least = instrument == Instrument::kEasy ? 1 : rule.threshold + 1;
  const uint64_t greatest = instrument == Instrument::kEasy ? std::min(rule.threshold, most) : most;
  std::vector<SubClip> clips;
  for (size_t first = 0; first < ends.size(); ++first) {
    const int64_t start = first == 0 ? 0 : ends[first - 1];
    for (uint64_t count = least; count <= greatest && first + count <= ends.size(); ++count)
      clips.push_back({start, ends[first + count - 1], count});
  }
  return clips;
}

void FoilCounts::add_video(uint64_t num_repetitions) {
  const uint64_t most = std::min(rule_.max_count, num_repetitions);
  const bool is_easy = instrument_ == Instrument::kEasy;
  for (uint64_t count = is_easy ? rule_.threshold + 1 : 1;
       count <= (is_easy ? most : std::min(rule_.threshold, most));
       ++count) {
    weights_[count] += num_repetitions - count + 1;
    total_ += num_repetitions - count + 1;
  }
}

uint64_t FoilCounts::draw(Rng& rng) const {
  SNELLEN_CHECK(total_ > 0);
  uint64_t place = rng.below(total_);
  for (const auto& [count, weight] : weights_) {
    if (place < weight) return count;
    place -= weight;
  }
  return weights_.rbegin()->first;
}

}  // namespace snellen::builders::vilma
