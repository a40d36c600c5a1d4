// SPDX-License-Identifier: Apache-2.0
// Gender polarity of a text (docs/spec/bias.md 2.8): how far its words lie along she - he.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "snellen/text/vectors/word2vec_file.h"

namespace snellen::metrics {

// cos(word, she - he) of every word of a table; the vectors themselves are not kept. Const methods
// are safe from many threads.
class GenderAxis {
 public:
  // Reads the file twice, the first time for "she" and "he". Throws kInvalidInput when one of them
  // is missing or both are the same. The first of equal words counts.
  explicit GenderAxis(const text::Word2VecFile& file);
  GenderAxis(const std::map<std::string, std::vector<double>>& vectors, std::string_view source);

  size_t num_words() const { return cosines_.size(); }
  // 0 for a word without a vector, and for the zero vector.
  double polarity_of_word(std::string_view lower) const;
  // Mean over lower-cased white-space tokens (punctuation stays); nothing for a text without
  // tokens.
  std::optional<double> polarity(std::string_view text) const;

 private:
  using Visitor = text::Word2VecFile::Visitor;
  void read(const std::function<void(const Visitor&)>& for_each, std::string_view source);

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
  };
  std::unordered_map<std::string, double, Hash, std::equal_to<>> cosines_;
};

}  // namespace snellen::metrics
