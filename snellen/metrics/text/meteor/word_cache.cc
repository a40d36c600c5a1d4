// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/word_cache.h"

#include <libstemmer.h>

#include "snellen/text/meteor/english_words.h"
#include "snellen/text/meteor/hash_mix.h"
#include "snellen/text/meteor/java_text.h"

namespace snellen::metrics::meteor {
namespace {

constexpr size_t kMaxWords = 1 << 20;
constexpr size_t kMaxTextBytes = size_t{64} << 20;
constexpr int kPairBits = 15;
constexpr size_t kMaxStemmedBytes = size_t{1} << 20;

}  // namespace

void WordCache::StemmerDeleter::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

WordCache::WordCache(std::shared_ptr<const text::meteor::MeteorData> data)
    : data_(std::move(data)),
      stemmer_(sb_stemmer_new("english", nullptr)),
      pair_answers_(size_t{1} << kPairBits) {
  SNELLEN_CHECK(stemmer_ != nullptr);
}

WordCache::~WordCache() = default;
WordCache::WordCache(WordCache&&) noexcept = default;
WordCache& WordCache::operator=(WordCache&&) noexcept = default;

uint32_t WordCache::id_of(std::string_view word) {
  const uint64_t hash = text::StringPool::hash(word);
  const uint32_t known = words_.find(word, hash);
  if (known != text::StringPool::kAbsent) return known;
  facts_.push_back(facts_of(word));
  num_text_bytes_ += word.size();
  return words_.add(word, hash);
}

WordFacts WordCache::facts_of(std::string_view word) {
  WordFacts facts;
  facts.hash = text::meteor::java_hash(word);
  facts.stem_hash = facts.hash;
  if (word.size() <= kMaxStemmedBytes) {
    const sb_symbol* stem = sb_stemmer_stem(stemmer_.get(),
                                            reinterpret_cast<const sb_symbol*>(word.data()),
                                            static_cast<int>(word.size()));
    if (stem == nullptr) throw Error{ErrorCode::kIo, "the stemmer has no memory"};
    auto length = static_cast<size_t>(sb_stemmer_length(stemmer_.get()));
    facts.stem_hash = text::meteor::java_hash({reinterpret_cast<const char*>(stem), length});
  }
  facts.is_function = text::meteor::is_function_word(word);
  facts.table_word =
      data_->paraphrases ? data_->paraphrases->word_id(word) : text::meteor::ParaphraseIndex::kNone;
  data_->lexicon.synsets_of(word, found_);
  facts.first_synset = synsets_.size();
  facts.num_synsets = static_cast<uint32_t>(found_.size());
  for (int64_t id : found_) {
    synsets_.push_back(id);
    facts.synset_signature |= uint64_t{1} << (text::meteor::mix(static_cast<uint64_t>(id)) & 63);
  }
  return facts;
}

bool WordCache::share_a_synset(uint32_t a, uint32_t b) {
  uint64_t question = (uint64_t{a + 1} << 32 | (b + 1)) << 1;
  uint64_t& answer = pair_answers_[(a * 0x9E3779B1U ^ b * 0x85EBCA77U) >> (32 - kPairBits)];
  if ((answer & ~uint64_t{1}) != question)
    answer = question | (intersect(facts_[a], facts_[b]) ? 1 : 0);
  return (answer & 1) != 0;
}

bool WordCache::intersect(const WordFacts& a, const WordFacts& b) const {
  const int64_t* left = synsets_.data() + a.first_synset;
  const int64_t* left_end = left + a.num_synsets;
  const int64_t* right = synsets_.data() + b.first_synset;
  const int64_t* right_end = right + b.num_synsets;
  while (left != left_end && right != right_end) {
    if (*left == *right) return true;
    *left < *right ? ++left : ++right;
  }
  return false;
}

bool WordCache::is_full() const {
  return facts_.size() >= kMaxWords || num_text_bytes_ >= kMaxTextBytes;
}

void WordCache::clear() {
  words_ = {};
  num_text_bytes_ = 0;
  facts_.clear();
  synsets_.clear();
  pair_answers_.assign(pair_answers_.size(), 0);
}

}  // namespace snellen::metrics::meteor
