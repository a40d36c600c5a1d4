// SPDX-License-Identifier: Apache-2.0
// Vectors of words and of whole texts. All const methods are safe from many threads.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/string_pool.h"

namespace snellen::text {

class WordVectors {
 public:
  virtual ~WordVectors() = default;
  virtual size_t dim() const = 0;
  // Writes the vector of a word to `out`, which holds dim() numbers. Returns false, and writes
  // zeros, when there is none.
  virtual bool read(std::string_view word, std::span<double> out) const = 0;
};

// Vectors by name, all of one width, in memory.
class VectorTable : public WordVectors {
 public:
  explicit VectorTable(size_t dim) : dim_(dim) {}

  // The first vector given for a name stays.
  void add(std::string_view name, std::span<const double> vector);
  size_t size() const { return names_.size(); }
  size_t dim() const override { return dim_; }
  bool read(std::string_view name, std::span<double> out) const override;
  // Empty when the name has none.
  std::span<const double> find(std::string_view name) const;

 private:
  size_t dim_;
  StringPool names_;
  std::vector<double> values_;
};

// Another source with the vectors of some words worked out beforehand: a word of a model with
// subwords costs some twenty scattered rows, and reference answers repeat the same few thousand
// words.
class CachingWordVectors : public WordVectors {
 public:
  // Remembers every word of the texts of `pool`, as embedding_words splits them. `source` must
  // outlive this.
  CachingWordVectors(const WordVectors& source, const StringPool& pool);

  size_t dim() const override { return source_.dim(); }
  bool read(std::string_view word, std::span<double> out) const override;

 private:
  const WordVectors& source_;
  StringPool words_;
  std::vector<bool> is_known_;
  std::vector<double> values_;
};

// The words a text is averaged over: numbers as words, lower case, split on white space.
// Punctuation stays glued.
std::vector<std::string> embedding_words(std::string_view text);

// A text to its vector.
class SentenceEncoder {
 public:
  virtual ~SentenceEncoder() = default;
  virtual size_t dim() const = 0;
  // Writes the vector of a text that is not blank; returns how many of its words had none. Throws
  // when it cannot.
  virtual size_t encode(std::string_view text, std::span<double> out) const = 0;
};

// The mean of the vectors of embedding_words; a word without vector counts as zeros. `words` must
// outlive this.
class MeanOfWords : public SentenceEncoder {
 public:
  explicit MeanOfWords(const WordVectors& words) : words_(words) {}
  size_t dim() const override { return words_.dim(); }
  size_t encode(std::string_view text, std::span<double> out) const override;

 private:
  const WordVectors& words_;
};

// Whole texts looked up as they are; throws kInvalidInput naming a text that is not in the table.
// `source` names the table in messages; `table` must outlive this.
class CachedSentences : public SentenceEncoder {
 public:
  CachedSentences(const VectorTable& table, std::string source)
      : table_(table), source_(std::move(source)) {}
  size_t dim() const override { return table_.dim(); }
  size_t encode(std::string_view text, std::span<double> out) const override;

 private:
  const VectorTable& table_;
  std::string source_;
};

}  // namespace snellen::text
