// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "snellen/metrics/text/meteor/line.h"

namespace snellen::metrics::meteor {

enum class Module : uint8_t { kExact, kStem, kSynonym, kParaphrase };

// Words [hypothesis_start, + hypothesis_length) say the same as those of the reference.
struct Match {
  uint32_t reference_start;
  uint32_t reference_length;
  uint32_t hypothesis_start;
  uint32_t hypothesis_length;
  Module module;
};

// Every match of a pair of lines, grouped by reference start in the order the original finds them,
// and how many matches cover each word. Memory is reused. One thread at a time.
class Matches {
 public:
  // Throws kInvalidInput when two very long lines would match more than four million times.
  void find(const Line& hypothesis,
            const Line& reference,
            WordCache& cache,
            const text::meteor::ParaphraseIndex* paraphrases);

  std::span<const Match> at(size_t reference_start) const {
    return {grouped_.data() + begins_[reference_start],
            begins_[reference_start + 1] - begins_[reference_start]};
  }
  bool is_empty() const { return grouped_.empty(); }
  size_t size() const { return grouped_.size(); }
  // The only match that starts here, when no other match touches any of its words; else null.
  const Match* fixed_at(size_t reference_start) const;

 private:
  void match_words(const Line& hypothesis,
                   const Line& reference,
                   WordCache& cache,
                   bool only_exact);
  void match_phrases(const Line& hypothesis,
                     const Line& reference,
                     const text::meteor::ParaphraseIndex& paraphrases,
                     bool keys_in_reference);
  void add_pairs(const PhrasePlace& key_place,
                 const Line& others,
                 const text::meteor::ParaphraseIndex& paraphrases,
                 bool keys_in_reference);
  void add(const Match& match);
  void group(size_t num_reference_words);

  struct Candidate {  // a phrase of the other line that the key's list holds
    uint32_t place;
    uint32_t rank;  // where it stands in the list
  };
  std::vector<Match> found_;
  std::vector<Match> grouped_;
  std::vector<uint32_t> begins_;
  std::vector<uint32_t> hypothesis_coverage_;
  std::vector<uint32_t> reference_coverage_;
  std::vector<Candidate> candidates_;
};

}  // namespace snellen::metrics::meteor
