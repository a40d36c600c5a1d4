// SPDX-License-Identifier: Apache-2.0
// fixture.json of a model folder, as `snellen check` reads it.
#include "fuzz/fuzz_file.h"
#include "snellen/models/check/fixture.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFolder folder(data, size, {"fixture.json"});
  fuzz::try_reading([&] {
    const models::Fixture fixture(folder.path());
    (void)fixture.has("scores");
    (void)fixture.tensor("scores");
  });
  return 0;
}
