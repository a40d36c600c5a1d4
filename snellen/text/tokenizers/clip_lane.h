// SPDX-License-Identifier: Apache-2.0
// CLIP's pipeline for plain ASCII captions in one pass over their bytes: no normalised copy, no
// list of words, and one look-up for a word that is a token. Gives the ids of the long way.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/added_tokens.h"
#include "snellen/text/tokenizers/bpe.h"
#include "snellen/text/tokenizers/normalizer.h"
#include "snellen/text/tokenizers/pre_tokenizer.h"

namespace snellen::text {

class ClipLane {
 public:
  // Nothing unless the parts are CLIP's. Keeps a reference to `model`.
  static std::optional<ClipLane> for_parts(const Normalizer& normalizer,
                                           const PreTokenizer& pre_tokenizer,
                                           const SubwordModel& model,
                                           std::initializer_list<const AddedTokens*> added);

  // False, with `out` as it was, for a text that must go the long way: one that is not ASCII, or
  // that has a character which an added token starts with.
  bool append_tokens(std::string_view text,
                     SubwordScratch& scratch,
                     std::vector<TokenId>& out) const;

 private:
  enum Class : uint8_t { kSpace, kLetter, kDigit, kOther, kStop };

  ClipLane(const BpeModel& model, std::initializer_list<const AddedTokens*> added);
  Class class_at(std::string_view text, size_t at) const {
    return classes_[static_cast<unsigned char>(text[at])];
  }
  size_t end_of_run(std::string_view text, size_t at, Class wanted) const {
    while (at < text.size() && class_at(text, at) == wanted) ++at;
    return at;
  }
  void append_word(std::string_view text,
                   size_t begin,
                   size_t end,
                   SubwordScratch& scratch,
                   std::vector<TokenId>& out) const;

  const BpeModel* model_;
  std::array<Class, 256> classes_{};
};

}  // namespace snellen::text
