// SPDX-License-Identifier: Apache-2.0
// Word vectors in word2vec's two forms. The file is mapped and walked, never held: it may be larger
// than memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "snellen/base/files.h"

namespace snellen::text {

// binary: "COUNT DIM\n", then per word its bytes, a space, DIM little-endian floats, an optional
// newline. text: one word and DIM numbers per line; the "COUNT DIM" line may be missing (GloVe).
enum class Word2VecFormat { kAuto, kBinary, kText };

// Const methods are safe from many threads. Throws kNotFound, or kInvalidInput naming the word's
// number.
class Word2VecFile {
 public:
  explicit Word2VecFile(const std::filesystem::path& path,
                        Word2VecFormat format = Word2VecFormat::kAuto);

  const std::filesystem::path& path() const { return file_.path(); }
  size_t dimension() const { return dimension_; }
  bool is_binary() const { return is_binary_; }

  using Visitor = std::function<bool(std::string_view word, std::span<const double> vector)>;
  // Every word in file order, until the visitor returns false. The views hold during the call only.
  void for_each(const Visitor& visit) const;

 private:
  void for_each_binary(const Visitor& visit) const;
  void for_each_text(const Visitor& visit) const;
  void read_header(Word2VecFormat format);
  [[noreturn]] void fail(size_t word, std::string_view what) const;

  MappedFile file_;
  size_t dimension_ = 0;
  size_t num_words_ = 0;  // of the header; 0 when there is none
  size_t body_offset_ = 0;
  bool is_binary_ = false;
};

}  // namespace snellen::text
