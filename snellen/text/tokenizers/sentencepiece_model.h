// SPDX-License-Identifier: Apache-2.0
// A spiece.model, through the sentencepiece library, which stays behind this header. A build
// without it (SNELLEN_SENTENCEPIECE=OFF) refuses to open one and says why.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/vocabulary.h"

namespace snellen::text {

// Const methods are safe from many threads.
class SentencePieceModel {
 public:
  // Throws kInvalidInput for bytes that are no model; `source` names the file.
  SentencePieceModel(std::string_view bytes, std::string source);
  ~SentencePieceModel();
  SentencePieceModel(SentencePieceModel&&) noexcept;
  SentencePieceModel& operator=(SentencePieceModel&&) noexcept;

  // The pieces of a well-formed text, unigram or BPE as the model is.
  std::vector<std::string> encode(std::string_view text) const;
  // The unknown token's id for a piece that is none.
  TokenId id_of(std::string_view piece) const;
  // True when it is a piece, the unknown token included.
  bool has(std::string_view piece) const;
  // Views live as long as the model; empty out of range.
  std::string_view piece(TokenId id) const;
  size_t size() const;
  TokenId unk_id() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace snellen::text
