// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/word_vector_file.h"

#include "snellen/annotations/visdial/vector_cache.h"
#include "snellen/base/error.h"
#include "snellen/text/vectors/fasttext.h"

namespace snellen::annotations {

std::unique_ptr<text::WordVectors> open_word_vectors(const WordVectorPlaces& places) {
  if (!places.fasttext.empty() && !places.word_vectors.empty())
    throw Error{ErrorCode::kUsage,
                "word vectors come from one source",
                "--word-vectors",
                "give --fasttext or --word-vectors, not both"};
  if (!places.fasttext.empty()) return std::make_unique<text::FastText>(places.fasttext);
  if (places.word_vectors.empty()) return nullptr;
  return std::make_unique<text::VectorTable>(read_vector_cache(places.word_vectors));
}

}  // namespace snellen::annotations
