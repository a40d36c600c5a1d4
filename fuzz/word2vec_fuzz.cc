// SPDX-License-Identifier: Apache-2.0
// Word vectors in word2vec's binary form and as text.
#include "fuzz/fuzz_file.h"
#include "snellen/text/vectors/word2vec_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFile file(data, size);
  for (auto format :
       {text::Word2VecFormat::kAuto, text::Word2VecFormat::kBinary, text::Word2VecFormat::kText}) {
    fuzz::try_reading([&] {
      const text::Word2VecFile vectors(file.path(), format);
      vectors.for_each([&](std::string_view, std::span<const double> vector) {
        if (vector.size() != vectors.dimension()) __builtin_trap();
        return true;
      });
    });
  }
  return 0;
}
