// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/files.h"
#include "snellen/text/vectors/word_vectors.h"

namespace snellen::text {

// A fastText model in its binary form, both layouts (with the magic number, versions 11 and 12, and
// the older one without). The file is mapped and rows are read when a word asks for them, so a
// model of 9 GB needs memory only for the places of its words (about 20 bytes each). Every size in
// the header is checked against the file before it is used. Const methods are safe from many
// threads.
class FastText : public WordVectors {
 public:
  // Throws kNotFound, or kInvalidInput naming the field for a file that is cut short, quantised,
  // supervised (it has labels) or whose sizes do not fit each other.
  explicit FastText(std::filesystem::path path);

  size_t dim() const override { return dim_; }
  // In vocabulary: (own row + n-gram rows) / (1 + their number). Otherwise the mean of the n-gram
  // rows; false and zeros when there is none.
  bool read(std::string_view word, std::span<double> out) const override;

  uint32_t num_words() const { return num_words_; }
  uint32_t num_buckets() const { return num_buckets_; }
  uint32_t min_ngram() const { return min_ngram_; }
  uint32_t max_ngram() const { return max_ngram_; }
  bool contains(std::string_view word) const { return find(word) != kAbsent; }
  // The character n-grams of <word>, by length, then by start. None for the end-of-sentence mark
  // </s>; a single boundary mark is no n-gram.
  std::vector<std::string> ngrams(std::string_view word) const;
  uint64_t row_of_ngram(std::string_view ngram) const {
    return num_words_ + hash(ngram) % num_buckets_;
  }
  // 32-bit FNV-1a over bytes that are sign-extended first, as the library does.
  static uint32_t hash(std::string_view ngram);

 private:
  class Reader;
  static constexpr uint32_t kAbsent = 0xFFFFFFFF;

  void read_header(Reader& reader, bool is_new);
  void read_words(Reader& reader);
  void read_matrix(Reader& reader);
  std::string_view word_at(uint32_t id) const;
  uint32_t find(std::string_view word) const;
  size_t slot_of(std::string_view word) const;
  template <typename Take>
  void for_each_ngram(std::string_view word, Take take) const;
  void add_row(uint64_t row, std::span<double> sum) const;

  MappedFile file_;
  size_t dim_ = 0;
  uint32_t num_words_ = 0;
  uint32_t num_buckets_ = 0;
  uint32_t min_ngram_ = 0;
  uint32_t max_ngram_ = 0;
  uint64_t matrix_begin_ = 0;          // byte of the first row
  std::vector<uint64_t> word_begins_;  // byte of each word in the file; it ends with NUL
  std::vector<uint32_t> slots_;        // open addressing over word ids
};

}  // namespace snellen::text
