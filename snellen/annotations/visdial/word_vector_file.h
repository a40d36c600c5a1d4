// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "snellen/text/vectors/word_vectors.h"

namespace snellen::annotations {

// Where word vectors come from: a fastText model, or a table of words.
struct WordVectorPlaces {
  std::filesystem::path fasttext;      // .bin
  std::filesystem::path word_vectors;  // {"dim", "vectors": {word: [numbers]}}

  bool is_empty() const { return fasttext.empty() && word_vectors.empty(); }
  const std::filesystem::path& file() const { return fasttext.empty() ? word_vectors : fasttext; }
};

// Throws kUsage where both are named, kNotFound or kInvalidInput for a file that cannot be used;
// null where none is named.
std::unique_ptr<text::WordVectors> open_word_vectors(const WordVectorPlaces& places);

}  // namespace snellen::annotations
