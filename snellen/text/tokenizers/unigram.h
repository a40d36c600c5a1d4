// SPDX-License-Identifier: Apache-2.0
// SentencePiece's unigram segmentation: the pieces whose scores sum highest. Ours, because releases
// of the library break ties differently; this is the rule of 0.2: sums in float, and of equal sums
// the one whose last piece is longest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/sentencepiece_file.h"
#include "snellen/text/tokenizers/string_table.h"

namespace snellen::text {

class UnigramModel {
 public:
  explicit UnigramModel(const SentencePieceFile& file);

  // The pieces of a normalised text; neighbouring unknown characters make one. Const and safe from
  // many threads. Linear in the text.
  std::vector<std::string> encode(std::string_view text) const;

 private:
  float score_of(size_t id, size_t num_bytes) const;

  std::vector<SentencePieceFile::Piece> pieces_;
  StringTable ids_;  // of the pieces that text can be made of
  float unk_score_ = 0;
  float max_score_ = 0;
};

}  // namespace snellen::text
