// SPDX-License-Identifier: Apache-2.0
// Any bytes as a spiece.model: our reader of its pieces and our segmentation. The library's own
// parser is fed only what ours has read.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/unigram.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen::text;  // NOLINT(google-build-using-namespace): one function
  try {
    UnigramModel model(
        read_sentencepiece_file({reinterpret_cast<const char*>(data), size}, "spiece.model"));
    for (std::string_view text : {"", "\u2581the\u2581dog", "aaaa", "\u4E2D\u65E5"}) {
      std::string joined;
      for (const std::string& piece : model.encode(text)) joined += piece;
      if (joined != text) std::abort();
    }
  } catch (const snellen::Error&) {
  }
  return 0;
}
