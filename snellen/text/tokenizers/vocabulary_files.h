// SPDX-License-Identifier: Apache-2.0
// The files of tokenizers older than tokenizer.json. Each reader takes the bytes of a file and the
// name that errors give it, and throws kInvalidInput.
#pragma once

#include <string>
#include <string_view>

#include "snellen/text/tokenizers/bpe.h"

namespace snellen::text {

// vocab.json: an object of token and id.
Vocabulary read_vocab_json(std::string_view bytes, const std::string& source);
// vocab.txt: a token a line; the line's number, from 0, is its id, and the last of equal lines
// wins.
Vocabulary read_vocab_txt(std::string_view bytes, const std::string& source);
// merges.txt: a first line "#version...", then a pair of tokens per line, best first.
BpeMerges read_merges_txt(std::string_view bytes, const std::string& source);

// open_clip's bpe_simple_vocab_16e6.txt.gz: a first line, then merges, of which the first `most`
// are used; the vocabulary follows from them.
struct SimpleVocabulary {
  Vocabulary vocabulary;
  BpeMerges merges;
  TokenId start = 0;  // <start_of_text>
  TokenId end = 0;    // <end_of_text>
};
inline constexpr size_t kSimpleMerges = 49152 - 256 - 2;
SimpleVocabulary read_simple_vocabulary(std::string_view gzip_bytes, const std::string& source);

}  // namespace snellen::text
