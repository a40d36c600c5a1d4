// SPDX-License-Identifier: Apache-2.0
// A fastText model of any bytes: refused with an Error, or opened and asked for words without
// reading past its end.
#include <algorithm>

#include "fuzz/fuzz_file.h"
#include "snellen/base/error.h"
#include "snellen/text/vectors/fasttext.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  snellen::fuzz::FuzzFile file(data, size);
  try {
    snellen::text::FastText model(file.path());
    std::vector<double> vector(model.dim());
    for (std::string_view word : {"", "a", "</s>", "yes,", "日本", "\xff\xfe"})
      model.read(word, vector);
  } catch (const snellen::Error&) {
  }
  return 0;
}
