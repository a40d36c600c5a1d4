// SPDX-License-Identifier: Apache-2.0
// What a spiece.model (a protocol buffer) says about its pieces; the rest of the file is the
// sentencepiece library's business.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snellen::text {

struct SentencePieceFile {
  enum class Type {
    kNormal = 1,
    kUnknown = 2,
    kControl = 3,
    kUserDefined = 4,
    kUnused = 5,
    kByte = 6
  };
  struct Piece {
    std::string text;
    float score = 0;
    Type type = Type::kNormal;
  };
  std::vector<Piece> pieces;  // by id
  bool is_unigram = true;     // else BPE, words or characters
};

// Throws kInvalidInput naming `source` for bytes that are no such file.
SentencePieceFile read_sentencepiece_file(std::string_view bytes, const std::string& source);

}  // namespace snellen::text
