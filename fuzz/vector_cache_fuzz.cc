// SPDX-License-Identifier: Apache-2.0
// Sentence vectors that were made elsewhere.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/visdial/vector_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFile file(data, size);
  fuzz::try_reading([&] { (void)annotations::read_vector_cache(file.path()); });
  return 0;
}
