// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/beam_search.h"

#include <algorithm>
#include <cstdlib>

namespace snellen::metrics::meteor {
namespace {

constexpr size_t kBeam = 40;

bool any_set(const uint64_t* bits, uint32_t start, uint32_t length) {
  for (uint32_t i = start; i < start + length; ++i) {
    if ((bits[i / 64] >> (i % 64) & 1) != 0) return true;
  }
  return false;
}

void set(uint64_t* bits, uint32_t start, uint32_t length) {
  for (uint32_t i = start; i < start + length; ++i) bits[i / 64] |= uint64_t{1} << (i % 64);
}

// Matches that are not exact weigh half, and the original truncates each line's sum to an integer:
// a one-word stem or synonym match weighs nothing.
uint32_t weight_of(const Match& match) {
  if (match.module == Module::kExact) return match.hypothesis_length + match.reference_length;
  return match.hypothesis_length / 2 + match.reference_length / 2;
}

int64_t distance_of(const Match& match) {
  return std::abs(int64_t{match.reference_start} - int64_t{match.hypothesis_start});
}

template <typename Path>
void apply(Path& path, const Match& match) {
  path.weight += weight_of(match);
  if (path.last != -1 && static_cast<uint32_t>(path.last) != match.hypothesis_start) ++path.chunks;
  path.next = match.reference_start + match.reference_length;
  path.last = static_cast<int32_t>(match.hypothesis_start + match.hypothesis_length);
}

template <typename Path>
bool is_better(const Path& a, const Path& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  if (a.chunks != b.chunks) return a.chunks < b.chunks;
  return a.distance < b.distance;
}

}  // namespace

std::span<const Match> BeamSearch::align(const Matches& matches,
                                         size_t num_hypothesis_words,
                                         size_t num_reference_words) {
  alignment_.clear();
  if (matches.is_empty()) return alignment_;
  if (take_fixed(matches, num_reference_words)) return alignment_;
  alignment_.clear();
  start(num_hypothesis_words, num_reference_words);
  for (uint32_t position = 0; position <= num_reference_words; ++position) {
    select();
    expand(matches, position);
    if (paths_.empty()) paths_.push_back(selected_.front());
    bits_.swap(next_bits_);
  }
  collect(*std::min_element(paths_.begin(), paths_.end(), is_better<Path>));
  return alignment_;
}

// Fixed matches are part of every path. True when there is no other match, so that nothing is left
// to choose.
bool BeamSearch::take_fixed(const Matches& matches, size_t num_reference_words) {
  fixed_.clear();
  for (size_t position = 0; position < num_reference_words; ++position) {
    fixed_.push_back(matches.fixed_at(position));
    if (fixed_.back() != nullptr) alignment_.push_back(*fixed_.back());
  }
  return alignment_.size() == matches.size();
}

void BeamSearch::start(size_t num_hypothesis_words, size_t num_reference_words) {
  hypothesis_stride_ = (num_hypothesis_words + 63) / 64;
  stride_ = hypothesis_stride_ + (num_reference_words + 63) / 64;
  bits_.assign(stride_ * kBeam, 0);
  next_bits_.resize(stride_ * kBeam);
  nodes_.clear();
  for (const Match* match : fixed_) {
    if (match == nullptr) continue;
    set(hypothesis_bits(bits_, 0), match->hypothesis_start, match->hypothesis_length);
    set(reference_bits(bits_, 0), match->reference_start, match->reference_length);
  }
  paths_.assign(1, Path{});
}

// The best paths in order, equals in the order they were made, with their own copy of the words in
// use.
void BeamSearch::select() {
  order_.resize(paths_.size());
  for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  size_t count = std::min(paths_.size(), kBeam);
  std::partial_sort(order_.begin(),
                    order_.begin() + static_cast<std::ptrdiff_t>(count),
                    order_.end(),
                    [this](uint32_t a, uint32_t b) {
                      if (is_better(paths_[a], paths_[b])) return true;
                      return !is_better(paths_[b], paths_[a]) && a < b;
                    });
  selected_.clear();
  for (uint32_t k = 0; k < count; ++k) {
    Path path = paths_[order_[k]];
    std::copy_n(hypothesis_bits(bits_, path.parent), stride_, hypothesis_bits(next_bits_, k));
    if (path.taken != nullptr) {
      set(hypothesis_bits(next_bits_, k),
          path.taken->hypothesis_start,
          path.taken->hypothesis_length);
      set(reference_bits(next_bits_, k), path.taken->reference_start, path.taken->reference_length);
      nodes_.push_back({path.taken, path.node});
      path.node = static_cast<int32_t>(nodes_.size() - 1);
    }
    path.parent = k;
    path.taken = nullptr;
    selected_.push_back(path);
  }
}

void BeamSearch::expand(const Matches& matches, uint32_t position) {
  paths_.clear();
  for (Path& path : selected_) {
    if (position == fixed_.size()) {
      Path ended = path;
      if (ended.last != -1) ++ended.chunks;
      paths_.push_back(ended);
    } else if (any_set(reference_bits(next_bits_, path.parent), position, 1)) {
      if (position < path.next) {
        paths_.push_back(path);
      } else if (const Match* match = fixed_[position]; match != nullptr) {
        Path with_fixed = path;
        apply(with_fixed, *match);
        with_fixed.distance += distance_of(*match);
        paths_.push_back(with_fixed);
      }
    } else {
      expand_free(path, matches.at(position));
    }
  }
}

void BeamSearch::expand_free(Path& path, std::span<const Match> here) {
  Path parent = path;
  for (const Match& match : here) {
    if (!is_free(path.parent, match)) continue;
    Path with_match = parent;
    apply(with_match, match);
    with_match.taken = &match;
    // The original adds the distance to the path it copied from, so later siblings and the skip
    // carry it.
    parent.distance += distance_of(match);
    paths_.push_back(with_match);
  }
  if (parent.last != -1) {
    ++parent.chunks;
    parent.last = -1;
  }
  ++parent.next;
  paths_.push_back(parent);
}

bool BeamSearch::is_free(uint32_t path, const Match& match) const {
  const uint64_t* bits = next_bits_.data() + path * stride_;
  return !any_set(bits, match.hypothesis_start, match.hypothesis_length) &&
         !any_set(bits + hypothesis_stride_, match.reference_start, match.reference_length);
}

void BeamSearch::collect(const Path& best) {
  for (const Match* match : fixed_) {
    if (match != nullptr) alignment_.push_back(*match);
  }
  if (best.taken != nullptr) alignment_.push_back(*best.taken);
  for (int32_t node = best.node; node != -1; node = nodes_[static_cast<size_t>(node)].previous) {
    alignment_.push_back(*nodes_[static_cast<size_t>(node)].match);
  }
  std::sort(alignment_.begin(), alignment_.end(), [](const Match& a, const Match& b) {
    return a.reference_start < b.reference_start;
  });
}

}  // namespace snellen::metrics::meteor
