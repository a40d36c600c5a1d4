// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "snellen/metrics/text/meteor/matches.h"

namespace snellen::metrics::meteor {

// Chooses which matches form the alignment: METEOR's beam search over reference positions, its
// quirks included (docs/spec/visdial.md 4.4), because published scores are defined by them. One
// thread at a time; reuses its memory.
class BeamSearch {
 public:
  // The chosen matches by reference start; they do not overlap. The span holds until the next call.
  std::span<const Match> align(const Matches& matches,
                               size_t num_hypothesis_words,
                               size_t num_reference_words);

 private:
  // A partial alignment. Its words in use are copied only once it is among the best of its
  // position.
  struct Path {
    int64_t distance = 0;  // sum of |reference start - hypothesis start|
    uint32_t weight = 0;   // weighted matched words of both lines
    uint32_t chunks = 0;
    uint32_t next = 0;    // reference position after the last step
    int32_t last = -1;    // hypothesis position after the last match, -1 when the step was a skip
    int32_t node = -1;    // the last chosen match, in nodes_
    uint32_t parent = 0;  // whose words in use it inherits
    const Match* taken = nullptr;  // and the match that adds to them
  };
  struct Node {
    const Match* match;
    int32_t previous;
  };

  bool take_fixed(const Matches& matches, size_t num_reference_words);
  void start(size_t num_hypothesis_words, size_t num_reference_words);
  void select();
  void expand(const Matches& matches, uint32_t position);
  void expand_free(Path& path, std::span<const Match> here);
  bool is_free(uint32_t path, const Match& match) const;
  void collect(const Path& best);

  uint64_t* hypothesis_bits(std::vector<uint64_t>& bits, uint32_t path) const {
    return bits.data() + path * stride_;
  }
  uint64_t* reference_bits(std::vector<uint64_t>& bits, uint32_t path) const {
    return bits.data() + path * stride_ + hypothesis_stride_;
  }

  std::vector<const Match*> fixed_;  // by reference position; null: none starts there
  std::vector<Path> paths_;
  std::vector<Path> selected_;
  std::vector<uint32_t> order_;
  std::vector<Node> nodes_;
  std::vector<uint64_t> bits_;  // words in use of each selected path
  std::vector<uint64_t> next_bits_;
  std::vector<Match> alignment_;
  size_t hypothesis_stride_ = 0;
  size_t stride_ = 0;
};

}  // namespace snellen::metrics::meteor
