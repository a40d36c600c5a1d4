// SPDX-License-Identifier: Apache-2.0
// A vocab.json and a merges.txt, with a NUL between them: refused with an Error, or a model that
// takes words.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/vocabulary_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen::text;  // NOLINT(google-build-using-namespace): one function
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  size_t end = std::min(bytes.find('\0'), bytes.size());
  try {
    BpeMerges merges = read_merges_txt(bytes.substr(std::min(end + 1, size)), "merges.txt");
    Vocabulary vocabulary = read_vocab_json(bytes.substr(0, end), "vocab.json");
    BpeOptions options;
    options.word_end = "</w>";
    options.is_byte_level = size % 2 == 0;
    BpeModel model(std::move(vocabulary), merges, options, "merges.txt");
    SubwordScratch scratch;
    std::vector<TokenId> ids;
    for (std::string_view word :
         {"dog", "the", "\xC3\xA9", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
      model.encode(word, scratch, ids);
  } catch (const snellen::Error&) {
  }
  return 0;
}
