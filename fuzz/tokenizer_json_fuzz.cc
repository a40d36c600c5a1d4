// SPDX-License-Identifier: Apache-2.0
// Any bytes as a tokenizer.json: refused with an Error, or a tokenizer that takes text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/tokenizer_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen::text;  // NOLINT(google-build-using-namespace): one function
  try {
    Pipeline tokenizer(
        read_tokenizer_json({reinterpret_cast<const char*>(data), size}, "tokenizer.json"), {});
    for (std::string_view text :
         {"", "a dog's [SEP] caf\u00E9 12 \u4E2D", "  The\xFF\t", "<|endoftext|>"})
      for (TokenId id : tokenizer.encode(text).ids)
        if (id < 0) std::abort();
  } catch (const snellen::Error&) {
    // The message is the test.
  }
  return 0;
}
