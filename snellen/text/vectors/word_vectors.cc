// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vectors/word_vectors.h"

#include <algorithm>

#include "snellen/base/error.h"
#include "snellen/text/characters.h"
#include "snellen/text/words/number_words.h"

namespace snellen::text {

void VectorTable::add(std::string_view name, std::span<const double> vector) {
  SNELLEN_CHECK(vector.size() == dim_);
  uint32_t id = names_.add(name);
  if (id * dim_ < values_.size()) return;
  values_.insert(values_.end(), vector.begin(), vector.end());
}

std::span<const double> VectorTable::find(std::string_view name) const {
  uint32_t id = names_.find(name);
  if (id == StringPool::kAbsent) return {};
  return std::span(values_).subspan(id * dim_, dim_);
}

bool VectorTable::read(std::string_view name, std::span<double> out) const {
  std::span<const double> vector = find(name);
  if (vector.empty()) {
    std::fill(out.begin(), out.end(), 0.0);
    return false;
  }
  std::copy(vector.begin(), vector.end(), out.begin());
  return true;
}

CachingWordVectors::CachingWordVectors(const WordVectors& source, const StringPool& pool)
    : source_(source) {
  std::vector<double> vector(dim());
  for (uint32_t id = 0; id < pool.size(); ++id) {
    for (const std::string& word : embedding_words(pool[id])) {
      if (words_.add(word) < is_known_.size()) continue;
      is_known_.push_back(source_.read(word, vector));
      values_.insert(values_.end(), vector.begin(), vector.end());
    }
  }
}

bool CachingWordVectors::read(std::string_view word, std::span<double> out) const {
  uint32_t id = words_.find(word);
  if (id == StringPool::kAbsent) return source_.read(word, out);
  std::copy_n(values_.begin() + static_cast<ptrdiff_t>(id * dim()), dim(), out.begin());
  return is_known_[id];
}

std::vector<std::string> embedding_words(std::string_view text) {
  std::vector<std::string> words;
  std::string plain = lower(replace_numbers(text));
  for_each_word(plain, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

size_t MeanOfWords::encode(std::string_view text, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  std::vector<double> vector(dim());
  size_t num_words = 0;
  size_t num_absent = 0;
  std::string plain = lower(replace_numbers(text));
  for_each_word(plain, [&](std::string_view word) {
    ++num_words;
    if (!words_.read(word, vector)) ++num_absent;
    for (size_t i = 0; i < out.size(); ++i) out[i] += vector[i];
  });
  SNELLEN_CHECK(num_words > 0);
  for (double& x : out) x /= static_cast<double>(num_words);
  return num_absent;
}

size_t CachedSentences::encode(std::string_view text, std::span<double> out) const {
  if (table_.read(text, out)) return 0;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("no vector for the text \"{}\"", text.substr(0, 200)),
              source_,
              "the cache needs every reference as it is and every generation after preprocessing"};
}

}  // namespace snellen::text
