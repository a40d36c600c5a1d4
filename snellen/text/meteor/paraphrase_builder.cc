// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/paraphrase_builder.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "snellen/text/meteor/gzip_lines.h"

namespace snellen::text::meteor {
namespace {

constexpr uint32_t kNone = ParaphraseIndex::kNone;
constexpr size_t kMaxPhraseWords = 65535;
constexpr size_t kMaxCount = std::numeric_limits<uint32_t>::max() - 2;
constexpr size_t kFilterBitsPerPair = 12;

[[noreturn]] void fail_too_large() {
  throw Error{ErrorCode::kInvalidInput,
              "the paraphrase table is too large: more than 32 bits can count",
              {},
              "filter the table"};
}

}  // namespace

ParaphraseBuilder::ParaphraseBuilder() : word_slots_(1 << 12), phrase_slots_(1 << 12) {}

void ParaphraseBuilder::add(std::string_view phrase, std::string_view paraphrase) {
  bool continues = !runs_.empty() && phrase == last_key_;
  uint32_t key = continues ? runs_.back().key : phrase_id(phrase);
  if (key == kNone) return;
  uint32_t other = phrase_id(paraphrase);
  if (other == kNone) return;
  if (pairs_.size() >= kMaxCount) fail_too_large();
  if (!continues) {
    runs_.push_back({key, static_cast<uint32_t>(pairs_.size()), 0});
    last_key_ = phrase;
  }
  pairs_.push_back(other);
  runs_.back().end = static_cast<uint32_t>(pairs_.size());
}

uint32_t ParaphraseBuilder::word_id(std::string_view word) {
  size_t mask = word_slots_.size() - 1;
  size_t slot = hash_bytes(word) & mask;
  for (; word_slots_[slot] != 0; slot = (slot + 1) & mask) {
    uint32_t id = word_slots_[slot] - 1;
    size_t begin = word_ends_[id];
    if (std::string_view(word_text_).substr(begin, word_ends_[id + 1] - begin) == word) return id;
  }
  if (word_text_.size() + word.size() > kMaxCount) fail_too_large();
  word_text_ += word;
  word_ends_.push_back(static_cast<uint32_t>(word_text_.size()));
  longest_.push_back(0);
  auto id = static_cast<uint32_t>(longest_.size() - 1);
  word_slots_[slot] = id + 1;
  if (longest_.size() * 2 > word_slots_.size()) grow_word_slots();
  return id;
}

void ParaphraseBuilder::grow_word_slots() {
  word_slots_.assign(word_slots_.size() * 2, 0);
  size_t mask = word_slots_.size() - 1;
  for (uint32_t id = 0; id < longest_.size(); ++id) {
    size_t begin = word_ends_[id];
    size_t slot =
        hash_bytes(std::string_view(word_text_).substr(begin, word_ends_[id + 1] - begin)) & mask;
    while (word_slots_[slot] != 0) slot = (slot + 1) & mask;
    word_slots_[slot] = id + 1;
  }
}

// The words are written where a new phrase would keep them, and taken back when the phrase is known
// already.
uint32_t ParaphraseBuilder::phrase_id(std::string_view phrase) {
  size_t begin = phrase_words_.size();
  uint64_t hash = 0;
  for (size_t at = 0; at < phrase.size();) {
    size_t end = std::min(phrase.find(' ', at), phrase.size());
    if (end > at) {
      phrase_words_.push_back(word_id(phrase.substr(at, end - at)));
      hash = extend_hash(hash, phrase_words_.back());
    }
    at = end + 1;
  }
  size_t size = phrase_words_.size() - begin;
  if (size == 0) return kNone;
  if (size > kMaxPhraseWords) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("a phrase has {} words, at most {} are kept", size, kMaxPhraseWords)};
  }
  size_t mask = phrase_slots_.size() - 1;
  size_t slot = hash & mask;
  for (; phrase_slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (phrase_slots_[slot] >> 32 != hash >> 32) continue;
    auto id = static_cast<uint32_t>(phrase_slots_[slot]) - 1;
    auto known = phrase_words_.begin() + phrase_ends_[id];
    if (phrase_ends_[id + 1] - phrase_ends_[id] == size &&
        std::equal(known,
                   known + static_cast<std::ptrdiff_t>(size),
                   phrase_words_.begin() + static_cast<std::ptrdiff_t>(begin))) {
      phrase_words_.resize(begin);
      return id;
    }
  }
  if (phrase_words_.size() > kMaxCount) fail_too_large();
  uint16_t& longest = longest_[phrase_words_[begin]];
  longest = std::max(longest, static_cast<uint16_t>(size));
  phrase_ends_.push_back(static_cast<uint32_t>(phrase_words_.size()));
  auto id = static_cast<uint32_t>(phrase_ends_.size() - 2);
  phrase_slots_[slot] = hash >> 32 << 32 | (id + 1);
  if (phrase_ends_.size() * 10 > phrase_slots_.size() * 7) grow_phrase_slots();
  return id;
}

void ParaphraseBuilder::grow_phrase_slots() {
  phrase_slots_.assign(phrase_slots_.size() * 2, 0);
  size_t mask = phrase_slots_.size() - 1;
  for (uint32_t id = 0; id + 1 < phrase_ends_.size(); ++id) {
    uint64_t hash = 0;
    for (size_t i = phrase_ends_[id]; i < phrase_ends_[id + 1]; ++i)
      hash = extend_hash(hash, phrase_words_[i]);
    size_t slot = hash & mask;
    while (phrase_slots_[slot] != 0) slot = (slot + 1) & mask;
    phrase_slots_[slot] = hash >> 32 << 32 | (id + 1);
  }
}

// New ids: keys in the order of their first pair, then the other phrases in the order they were
// met.
std::vector<uint32_t> ParaphraseBuilder::keys_first() {
  std::vector<uint32_t> new_ids(phrase_ends_.size() - 1, kNone);
  uint32_t next = 0;
  for (const Run& run : runs_) {
    if (new_ids[run.key] == kNone) new_ids[run.key] = next++;
  }
  num_keys_ = next;
  for (uint32_t& id : new_ids) {
    if (id == kNone) id = next++;
  }
  return new_ids;
}

void ParaphraseBuilder::write_words(IndexWriter& writer) const {
  writer.add_bytes(word_text_);
  writer.add(word_ends_);
  writer.add(word_slots_);
  writer.add(longest_);
}

void ParaphraseBuilder::write_phrases(IndexWriter& writer, const std::vector<uint32_t>& new_ids) {
  std::vector<uint32_t> old_ids(new_ids.size());
  for (uint32_t old = 0; old < new_ids.size(); ++old) old_ids[new_ids[old]] = old;
  std::vector<uint32_t> ends{0};
  ends.reserve(old_ids.size() + 1);
  std::vector<uint16_t> narrow;
  std::vector<uint32_t> wide;
  bool is_wide = longest_.size() > 65536;
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
    if (slot != 0) slot = slot >> 32 << 32 | (new_ids[static_cast<uint32_t>(slot) - 1] + 1);
  }
  writer.add(phrase_slots_);
  phrase_slots_ = {};
}

void ParaphraseBuilder::write_pairs(IndexWriter& writer, const std::vector<uint32_t>& new_ids) {
  std::vector<uint32_t> ends(num_keys_ + 1, 0);
  for (const Run& run : runs_) ends[new_ids[run.key] + 1] += run.end - run.begin;
  for (size_t key = 0; key < num_keys_; ++key) ends[key + 1] += ends[key];
  std::vector<uint32_t> next(ends.begin(), ends.end() - 1);
  std::vector<uint32_t> grouped(pairs_.size());
  std::vector<uint64_t> filter(
      std::bit_ceil(std::max<size_t>(1, pairs_.size() * kFilterBitsPerPair / 64)));
  for (const Run& run : runs_) {
    uint32_t key = new_ids[run.key];
    for (uint32_t i = run.begin; i < run.end; ++i) {
      uint32_t other = new_ids[pairs_[i]];
      grouped[next[key]++] = other;
      uint64_t hash = pair_hash(key, other);
      filter[(hash >> 32) & (filter.size() - 1)] |= ParaphraseIndex::filter_bits(hash);
    }
  }
  pairs_ = {};
  writer.add(ends);
  writer.add(grouped);
  writer.add(filter);
}

std::string ParaphraseBuilder::finish(std::string_view source_sha256) && {
  std::vector<uint32_t> new_ids = keys_first();
  IndexWriter writer(kParaphraseFormat, source_sha256);
  auto num_words = static_cast<uint32_t>(longest_.size());
  writer.add(std::vector<uint32_t>{
      num_words, static_cast<uint32_t>(new_ids.size()), num_keys_, num_words > 65536 ? 1U : 0U});
  write_words(writer);
  write_phrases(writer, new_ids);
  write_pairs(writer, new_ids);
  return std::move(writer).finish();
}

ParaphraseIndex index_of_pairs(std::span<const std::pair<std::string, std::string>> pairs) {
  ParaphraseBuilder builder;
  for (const auto& [phrase, paraphrase] : pairs) builder.add(phrase, paraphrase);
  return ParaphraseIndex(*IndexFile::open(std::move(builder).finish({}), kParaphraseFormat));
}

std::string build_paraphrase_index(std::string_view packed,
                                   const std::string& where,
                                   const std::string& source_sha256) {
  GzipLines lines(packed, where);
  ParaphraseBuilder builder;
  std::string_view line;
  std::string phrase;
  while (lines.next(line)) {  // the probability: METEOR ignores it too
    if (!lines.next(line))
      lines.fail("the table ends after a probability: its line count is not a multiple of 3");
    phrase = line;
    if (!lines.next(line))
      lines.fail("the table ends after a phrase: its line count is not a multiple of 3");
    try {
      builder.add(phrase, line);
    } catch (const Error& error) {
      lines.fail(error.message());
    }
  }
  return std::move(builder).finish(source_sha256);
}

LoadedParaphrases load_paraphrases(const std::filesystem::path& file,
                                   const std::filesystem::path& cache_folder) {
  IndexSource source{"meteor-paraphrase", kParaphraseFormat, {file}};
  auto build = [&file](const std::string& sha256) {
    MappedFile table(file);
    return build_paraphrase_index(table.bytes(), file.string(), sha256);
  };
  try {
    CachedIndex cached = open_or_build(source, cache_folder, build);
    return {ParaphraseIndex(std::move(cached.index)), cached.was_built, cached.was_stored};
  } catch (const Error& error) {
    // A cached file may be whole and yet not ours; the table itself then speaks.
    if (cache_folder.empty()) throw;
    return load_paraphrases(file, {});
  }
}

}  // namespace snellen::text::meteor
