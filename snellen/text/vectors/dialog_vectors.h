// SPDX-License-Identifier: Apache-2.0
// A text of a dialog to its vector, as the CCA baseline on VisDial takes it (docs/spec/visdial.md
// 5.1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/string_pool.h"
#include "snellen/text/vectors/word_vectors.h"

namespace snellen::text {

// Apostrophes out, numbers as words, lower case, then the Treebank tokens of each sentence.
std::vector<std::string> dialog_tokens(std::string_view text);

// Words by number: <PAD>, <EOS>, <UNK>, then others in the order in which they were first seen.
class DialogVocabulary {
 public:
  static constexpr uint32_t kPad = 0;
  static constexpr uint32_t kEnd = 1;
  static constexpr uint32_t kUnknown = 2;

  DialogVocabulary();
  // Words as words() gave them; throws kInvalidInput unless the first three are the marks.
  explicit DialogVocabulary(const std::vector<std::string>& words);

  // Counts the tokens of a text that comes `times` times.
  void count(const std::vector<std::string>& tokens, uint64_t times);
  // Drops words that were counted less often; the others keep their order.
  void drop_rare(uint64_t least);

  size_t size() const { return words_.size(); }
  std::string_view word(uint32_t id) const { return words_[id]; }
  // kUnknown for other words.
  uint32_t id(std::string_view word) const;
  std::vector<std::string> words() const;

 private:
  StringPool words_;
  std::vector<uint64_t> counts_;
};

// The mean of the vectors of a text's first 15 tokens and the end mark. Const methods are safe from
// many threads.
class DialogEncoder : public SentenceEncoder {
 public:
  static constexpr size_t kNumSlots = 16;

  // Looks up every word of the vocabulary, the end mark and the mark of unknown words among them;
  // one without a vector counts as zeros.
  DialogEncoder(DialogVocabulary vocabulary, const WordVectors& words);
  // The vectors themselves, [words, dim].
  DialogEncoder(DialogVocabulary vocabulary, std::vector<double> vectors);

  size_t dim() const override { return dim_; }
  // Also for a blank text, which has the vector of the end mark. Gives how many tokens are unknown.
  size_t encode(std::string_view text, std::span<double> out) const override;

  const DialogVocabulary& vocabulary() const { return vocabulary_; }
  std::span<const double> vectors() const { return vectors_; }
  size_t num_without_vector() const { return num_without_vector_; }

 private:
  DialogVocabulary vocabulary_;
  size_t dim_ = 0;
  std::vector<double> vectors_;
  size_t num_without_vector_ = 0;
};

}  // namespace snellen::text
