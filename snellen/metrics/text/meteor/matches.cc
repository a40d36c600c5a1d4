// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/matches.h"

#include <algorithm>

namespace snellen::metrics::meteor {
namespace {

using text::meteor::ParaphraseIndex;

constexpr size_t kMaxMatches = size_t{4} << 20;

}  // namespace

void Matches::find(const Line& hypothesis,
                   const Line& reference,
                   WordCache& cache,
                   const ParaphraseIndex* paraphrases) {
  found_.clear();
  hypothesis_coverage_.assign(hypothesis.size(), 0);
  reference_coverage_.assign(reference.size(), 0);
  bool is_identical = hypothesis.hashes == reference.hashes;
  match_words(hypothesis, reference, cache, is_identical);
  if (paraphrases != nullptr && !is_identical) {
    match_phrases(hypothesis, reference, *paraphrases, /*keys_in_reference=*/true);
    match_phrases(hypothesis, reference, *paraphrases, /*keys_in_reference=*/false);
  }
  group(reference.size());
}

void Matches::add(const Match& match) {
  if (found_.size() == kMaxMatches) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("two lines match in more than {} ways", kMaxMatches),
                fmt::format("METEOR, lines of {} and {} words",
                            hypothesis_coverage_.size(),
                            reference_coverage_.size()),
                "score sentences, not documents"};
  }
  for (uint32_t i = 0; i < match.hypothesis_length; ++i)
    ++hypothesis_coverage_[match.hypothesis_start + i];
  for (uint32_t i = 0; i < match.reference_length; ++i)
    ++reference_coverage_[match.reference_start + i];
  found_.push_back(match);
}

// The modules run one after the other over the whole lines; as matches are grouped by reference
// word afterwards, taking the modules word by word gives the same order.
void Matches::match_words(const Line& hypothesis,
                          const Line& reference,
                          WordCache& cache,
                          bool only_exact) {
  auto num_hypothesis = static_cast<uint32_t>(hypothesis.size());
  for (uint32_t r = 0; r < reference.size(); ++r) {
    uint32_t hash = reference.hashes[r], stem = reference.stem_hashes[r];
    uint64_t signature = reference.synset_signatures[r];
    for (uint32_t h = 0; h < num_hypothesis; ++h) {
      if (hypothesis.hashes[h] == hash) add({r, 1, h, 1, Module::kExact});
    }
    if (only_exact) continue;
    for (uint32_t h = 0; h < num_hypothesis; ++h) {
      if (hypothesis.stem_hashes[h] == stem && hypothesis.hashes[h] != hash)
        add({r, 1, h, 1, Module::kStem});
    }
    for (uint32_t h = 0; h < num_hypothesis; ++h) {
      if ((hypothesis.synset_signatures[h] & signature) == 0 || hypothesis.hashes[h] == hash)
        continue;
      if (cache.share_a_synset(hypothesis.words[h], reference.words[r])) {
        add({r, 1, h, 1, Module::kSynonym});
      }
    }
  }
}

void Matches::match_phrases(const Line& hypothesis,
                            const Line& reference,
                            const ParaphraseIndex& paraphrases,
                            bool keys_in_reference) {
  const Line& keys = keys_in_reference ? reference : hypothesis;
  const Line& others = keys_in_reference ? hypothesis : reference;
  for (const PhrasePlace& key : keys.phrases) {
    if (key.filter.size == 0) continue;
    candidates_.clear();
    for (uint32_t place = 0; place < others.phrases.size(); ++place) {
      if (paraphrases.may_hold(key.filter, others.phrases[place].hash))
        candidates_.push_back({place, 0});
    }
    if (!candidates_.empty()) add_pairs(key, others, paraphrases, keys_in_reference);
  }
}

// In table order within the key, then by place; a pair listed twice matches twice.
void Matches::add_pairs(const PhrasePlace& key_place,
                        const Line& others,
                        const ParaphraseIndex& paraphrases,
                        bool keys_in_reference) {
  std::span<const uint32_t> list = paraphrases.paraphrases(key_place.phrase);
  size_t num_candidates = candidates_.size();
  for (size_t i = 0; i < num_candidates; ++i) {
    uint32_t place = candidates_[i].place;
    for (uint32_t rank = 0; rank < list.size(); ++rank) {
      if (list[rank] == others.phrases[place].phrase) candidates_.push_back({place, rank});
    }
  }
  candidates_.erase(candidates_.begin(),
                    candidates_.begin() + static_cast<std::ptrdiff_t>(num_candidates));
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.place < b.place;
  });
  for (const Candidate& candidate : candidates_) {
    const PhrasePlace& other = others.phrases[candidate.place];
    if (keys_in_reference) {
      add({key_place.start, key_place.length, other.start, other.length, Module::kParaphrase});
    } else {
      add({other.start, other.length, key_place.start, key_place.length, Module::kParaphrase});
    }
  }
}

// A stable counting sort by reference start.
void Matches::group(size_t num_reference_words) {
  begins_.assign(num_reference_words + 1, 0);
  for (const Match& match : found_) ++begins_[match.reference_start + 1];
  for (size_t r = 0; r < num_reference_words; ++r) begins_[r + 1] += begins_[r];
  grouped_.resize(found_.size());
  for (const Match& match : found_) grouped_[begins_[match.reference_start]++] = match;
  // Each begin has moved to the next one's place.
  for (size_t r = num_reference_words; r > 0; --r) begins_[r] = begins_[r - 1];
  begins_[0] = 0;
}

const Match* Matches::fixed_at(size_t reference_start) const {
  std::span<const Match> here = at(reference_start);
  if (here.size() != 1) return nullptr;
  const Match& match = here.front();
  for (uint32_t i = 0; i < match.reference_length; ++i) {
    if (reference_coverage_[match.reference_start + i] != 1) return nullptr;
  }
  for (uint32_t i = 0; i < match.hypothesis_length; ++i) {
    if (hypothesis_coverage_[match.hypothesis_start + i] != 1) return nullptr;
  }
  return &match;
}

}  // namespace snellen::metrics::meteor
