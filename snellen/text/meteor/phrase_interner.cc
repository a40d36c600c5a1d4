// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/phrase_interner.h"

#include <algorithm>
#include <limits>

#include "snellen/text/meteor/hash_mix.h"

namespace snellen::text::meteor {
namespace {

constexpr size_t kMaxPhraseWords = 65535;
constexpr size_t kMaxCount = std::numeric_limits<uint32_t>::max() - 2;
constexpr size_t kNarrowWords = 65536;

uint64_t slot_of(uint64_t hash, uint32_t id) {
  return hash >> 32 << 32 | (id + 1);
}

[[noreturn]] void fail_too_large() {
  throw Error{ErrorCode::kInvalidInput,
              "the paraphrase table is too large: more than 32 bits can count",
              {},
              "filter the table"};
}

}  // namespace

PhraseInterner::PhraseInterner() : word_slots_(1 << 12), phrase_slots_(1 << 12) {}

std::string_view PhraseInterner::word_text(uint32_t id) const {
  return {word_text_.data() + word_ends_[id], word_ends_[id + 1] - word_ends_[id]};
}

uint32_t PhraseInterner::word_id(std::string_view word) {
  uint64_t hash = hash_bytes(word);
  size_t mask = word_slots_.size() - 1;
  size_t slot = hash & mask;
  for (; word_slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (word_slots_[slot] >> 32 != hash >> 32) continue;
    auto id = static_cast<uint32_t>(word_slots_[slot]) - 1;
    if (word_text(id) == word) return id;
  }
  if (word_text_.size() + word.size() > kMaxCount) fail_too_large();
  auto id = static_cast<uint32_t>(longest_.size());
  word_text_ += word;
  word_ends_.push_back(static_cast<uint32_t>(word_text_.size()));
  longest_.push_back(0);
  word_slots_[slot] = slot_of(hash, id);
  if (longest_.size() * 2 > word_slots_.size()) grow_word_slots();
  return id;
}

void PhraseInterner::grow_word_slots() {
  word_slots_.assign(word_slots_.size() * 2, 0);
  size_t mask = word_slots_.size() - 1;
  for (uint32_t id = 0; id < longest_.size(); ++id) {
    uint64_t hash = hash_bytes(word_text(id));
    size_t slot = hash & mask;
    while (word_slots_[slot] != 0) slot = (slot + 1) & mask;
    word_slots_[slot] = slot_of(hash, id);
  }
}

bool PhraseInterner::stage(std::string_view phrase) {
  Staged staged{0, static_cast<uint32_t>(staged_words_.size()), 0};
  for (size_t at = 0; at < phrase.size();) {
    size_t end = at;
    while (end < phrase.size() && phrase[end] != ' ') ++end;
    if (end > at) {
      uint32_t word = word_id(phrase.substr(at, end - at));
      staged_words_.push_back(word);
      staged.hash = extend_hash(staged.hash, word);
      ++staged.size;
    }
    at = end + 1;
  }
  if (staged.size == 0) return false;
  if (staged.size > kMaxPhraseWords) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("a phrase has {} words, at most {} are kept", staged.size, kMaxPhraseWords)};
  }
  __builtin_prefetch(&phrase_slots_[staged.hash & (phrase_slots_.size() - 1)]);
  staged_.push_back(staged);
  return true;
}

// Brings the words of the phrase that this one most likely is.
void PhraseInterner::prefetch_known(const Staged& phrase) const {
  uint64_t held = phrase_slots_[phrase.hash & (phrase_slots_.size() - 1)];
  if (held != 0 && held >> 32 == phrase.hash >> 32)
    __builtin_prefetch(&phrase_ends_[static_cast<uint32_t>(held) - 1]);
}

void PhraseInterner::resolve(std::vector<uint32_t>& ids) {
  ids.clear();
  for (const Staged& phrase : staged_) prefetch_known(phrase);
  for (const Staged& phrase : staged_) {
    uint64_t held = phrase_slots_[phrase.hash & (phrase_slots_.size() - 1)];
    if (held == 0 || held >> 32 != phrase.hash >> 32) continue;
    __builtin_prefetch(phrase_words_.data() + phrase_ends_[static_cast<uint32_t>(held) - 1]);
  }
  for (const Staged& phrase : staged_) ids.push_back(phrase_id(phrase));
  staged_.clear();
  staged_words_.clear();
}

uint32_t PhraseInterner::phrase_id(const Staged& phrase) {
  const uint32_t* words = staged_words_.data() + phrase.begin;
  size_t mask = phrase_slots_.size() - 1;
  size_t slot = phrase.hash & mask;
  for (; phrase_slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (phrase_slots_[slot] >> 32 != phrase.hash >> 32) continue;
    auto id = static_cast<uint32_t>(phrase_slots_[slot]) - 1;
    size_t size = phrase_ends_[id + 1] - phrase_ends_[id];
    if (size == phrase.size &&
        std::equal(words, words + size, phrase_words_.data() + phrase_ends_[id]))
      return id;
  }
  if (phrase_words_.size() + phrase.size > kMaxCount) fail_too_large();
  auto id = static_cast<uint32_t>(num_phrases());
  longest_[words[0]] = std::max(longest_[words[0]], static_cast<uint16_t>(phrase.size));
  phrase_words_.insert(phrase_words_.end(), words, words + phrase.size);
  phrase_ends_.push_back(static_cast<uint32_t>(phrase_words_.size()));
  phrase_slots_[slot] = slot_of(phrase.hash, id);
  if (phrase_ends_.size() * 10 > phrase_slots_.size() * 7) grow_phrase_slots();
  return id;
}

void PhraseInterner::grow_phrase_slots() {
  phrase_slots_.assign(phrase_slots_.size() * 2, 0);
  size_t mask = phrase_slots_.size() - 1;
  for (uint32_t id = 0; id < num_phrases(); ++id) {
    uint64_t hash = 0;
    for (size_t i = phrase_ends_[id]; i < phrase_ends_[id + 1]; ++i)
      hash = extend_hash(hash, phrase_words_[i]);
    size_t slot = hash & mask;
    while (phrase_slots_[slot] != 0) slot = (slot + 1) & mask;
    phrase_slots_[slot] = slot_of(hash, id);
  }
}

void PhraseInterner::write_words(IndexWriter& writer) const {
  writer.add_bytes(word_text_);
  writer.add(word_ends_);
  writer.add(word_slots_);
  writer.add(longest_);
}

void PhraseInterner::write_phrases(IndexWriter& writer, const std::vector<uint32_t>& new_ids) && {
  std::vector<uint32_t> old_ids(new_ids.size());
  for (uint32_t old = 0; old < new_ids.size(); ++old) old_ids[new_ids[old]] = old;
  bool is_wide = num_words() > kNarrowWords;
  std::vector<uint32_t> ends{0};
  std::vector<uint32_t> wide;
  std::vector<uint16_t> narrow;
  ends.reserve(old_ids.size() + 1);
  is_wide ? wide.reserve(phrase_words_.size()) : narrow.reserve(phrase_words_.size());
  for (uint32_t old : old_ids) {
    for (size_t i = phrase_ends_[old]; i < phrase_ends_[old + 1]; ++i) {
      is_wide ? wide.push_back(phrase_words_[i])
              : narrow.push_back(static_cast<uint16_t>(phrase_words_[i]));
    }
    ends.push_back(static_cast<uint32_t>(is_wide ? wide.size() : narrow.size()));
  }
  phrase_words_ = {};
  is_wide ? writer.add(wide) : writer.add(narrow);
  writer.add(ends);
  for (uint64_t& slot : phrase_slots_) {
    if (slot != 0) slot = slot_of(slot, new_ids[static_cast<uint32_t>(slot) - 1]);
  }
  writer.add(phrase_slots_);
  phrase_slots_ = {};
}

}  // namespace snellen::text::meteor
