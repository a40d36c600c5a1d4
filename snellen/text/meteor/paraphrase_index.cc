// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/paraphrase_index.h"

#include <bit>

namespace snellen::text::meteor {

ParaphraseIndex::ParaphraseIndex(IndexFile file) : file_(std::move(file)) {
  auto counts = file_.section<uint32_t>(kParaphraseCounts);
  bool fits = counts.size() == 4;
  if (fits) {
    num_words_ = counts[0];
    num_phrases_ = counts[1];
    num_keys_ = counts[2];
    is_wide_ = counts[3] != 0;
  }
  word_text_ = file_.section<char>(kParaphraseWordText);
  word_ends_ = file_.section<uint32_t>(kParaphraseWordEnds);
  word_slots_ = file_.section<uint64_t>(kParaphraseWordSlots);
  longest_ = file_.section<uint16_t>(kParaphraseLongest);
  narrow_words_ = file_.section<uint16_t>(kParaphraseWords);
  wide_words_ = file_.section<uint32_t>(kParaphraseWords);
  phrase_ends_ = file_.section<uint32_t>(kParaphraseEnds);
  phrase_slots_ = file_.section<uint64_t>(kParaphraseSlots);
  pair_ends_ = file_.section<uint32_t>(kParaphrasePairEnds);
  pairs_ = file_.section<uint32_t>(kParaphrasePairs);
  filter_ = file_.section<uint64_t>(kParaphraseFilter);
  fits = fits && word_ends_.size() == num_words_ + 1 && longest_.size() == num_words_ &&
         phrase_ends_.size() == num_phrases_ + 1 && pair_ends_.size() == num_keys_ + 1 &&
         num_keys_ <= num_phrases_ && std::has_single_bit(word_slots_.size()) &&
         std::has_single_bit(phrase_slots_.size());
  if (!fits)
    throw Error{ErrorCode::kInvalidInput,
                "the sections of the paraphrase index do not fit together"};
}

uint32_t ParaphraseIndex::word_id(std::string_view word) const {
  uint64_t hash = hash_bytes(word);
  size_t mask = word_slots_.size() - 1;
  size_t slot = hash & mask;
  for (size_t probes = 0; probes <= mask; ++probes, slot = (slot + 1) & mask) {
    uint64_t held = word_slots_[slot];
    if (held == 0) return kNone;
    if (held >> 32 != hash >> 32) continue;
    auto id = static_cast<uint32_t>(held) - 1;
    if (id >= num_words_) return kNone;
    size_t begin = word_ends_[id], end = word_ends_[id + 1];
    if (begin > end || end > word_text_.size()) return kNone;
    if (std::string_view(word_text_.data() + begin, end - begin) == word) return id;
  }
  return kNone;
}

template <typename Id>
bool ParaphraseIndex::equals(std::span<const Id> stored,
                             uint32_t phrase,
                             std::span<const uint32_t> words) const {
  size_t begin = phrase_ends_[phrase], end = phrase_ends_[phrase + 1];
  if (begin > end || end > stored.size() || end - begin != words.size()) return false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (stored[begin + i] != words[i]) return false;
  }
  return true;
}

uint32_t ParaphraseIndex::find_phrase(std::span<const uint32_t> words, uint64_t hash) const {
  size_t mask = phrase_slots_.size() - 1;
  size_t slot = hash & mask;
  for (size_t probes = 0; probes <= mask; ++probes, slot = (slot + 1) & mask) {
    uint64_t held = phrase_slots_[slot];
    if (held == 0) return kNone;
    if (held >> 32 != hash >> 32) continue;
    auto phrase = static_cast<uint32_t>(held) - 1;
    if (phrase >= num_phrases_) return kNone;
    if (is_wide_ ? equals(wide_words_, phrase, words) : equals(narrow_words_, phrase, words))
      return phrase;
  }
  return kNone;
}

ParaphraseIndex::KeyFilter ParaphraseIndex::filter_of(uint32_t phrase) const {
  std::span<const uint32_t> pairs = paraphrases(phrase);
  if (pairs.empty()) return {};
  auto begin = static_cast<uint32_t>(pairs.data() - pairs_.data());
  KeyFilter filter = filter_at(phrase, begin, begin + static_cast<uint32_t>(pairs.size()));
  if (filter.begin > filter_.size() || filter.size > filter_.size() - filter.begin) return {};
  return filter;
}

std::span<const uint32_t> ParaphraseIndex::paraphrases(uint32_t key) const {
  if (key >= num_keys_) return {};
  size_t begin = pair_ends_[key], end = pair_ends_[key + 1];
  if (begin > end || end > pairs_.size()) return {};
  return pairs_.subspan(begin, end - begin);
}

}  // namespace snellen::text::meteor
