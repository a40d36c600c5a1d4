// SPDX-License-Identifier: Apache-2.0
// What a model folder says about its tokenizer: tokenizer_config.json, special_tokens_map.json,
// added_tokens.json, config.json, each from the same bytes, and the tokenizer made of them.
#include "fuzz/fuzz_file.h"
#include "snellen/text/tokenizers/load_tokenizer.h"
#include "snellen/text/tokenizers/tokenizer_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  if (size == 0) return 0;
  const std::string_view names[] = {
      "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "config.json"};
  const fuzz::FuzzFolder folder(data + 1, size - 1, {names[data[0] % 4]});
  fuzz::try_reading([&] {
    (void)text::read_tokenizer_config(folder.path()).content(text::SpecialToken::kBos, "");
  });
  std::ofstream(folder.path() / "vocab.txt") << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n";
  fuzz::try_reading([&] {
    (void)text::load_tokenizer({.folder = folder.path(), .family = {}, .clip_vocabulary = {}})
        ->encode("ab [MASK] c", {.max_length = 8});
  });
  return 0;
}
