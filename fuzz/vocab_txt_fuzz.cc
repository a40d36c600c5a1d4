// SPDX-License-Identifier: Apache-2.0
// Any bytes as a vocab.txt: without [UNK] refused, else a WordPiece model that takes words. The
// same bytes as open_clip's packed vocabulary.
#include <cstdint>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/vocabulary_files.h"
#include "snellen/text/tokenizers/wordpiece.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen::text;  // NOLINT(google-build-using-namespace): one function
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    WordPieceModel model(read_vocab_txt(bytes, "vocab.txt"), {});
    SubwordScratch scratch;
    std::vector<TokenId> ids;
    for (std::string_view word : {"dogs", "\u4E2Da", "abcabcabc", "[UNK]"})
      model.encode(word, scratch, ids);
  } catch (const snellen::Error&) {
  }
  try {
    (void)read_simple_vocabulary(bytes, "vocabulary.gz");
  } catch (const snellen::Error&) {
  }
  return 0;
}
