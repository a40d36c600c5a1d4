// SPDX-License-Identifier: Apache-2.0
// relcomp_val.jsonl: every sample is read or refused.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/probe/relcomp_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFile file(data, size);
  fuzz::try_reading([&] {
    const annotations::RelCompFile samples(file.path());
    for (size_t i = 0; i < samples.num_compositions(); ++i) (void)samples.composition(i).is_ok();
    for (size_t i = 0; i < samples.num_relations(); ++i) (void)samples.relation(i).is_ok();
  });
  return 0;
}
