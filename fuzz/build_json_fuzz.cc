// SPDX-License-Identifier: Apache-2.0
// build.json of a built set, as `build check` and the next build read it.
#include "fuzz/fuzz_file.h"
#include "snellen/builders/build_record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFolder folder(data, size, {builders::kBuildRecordName});
  fuzz::try_reading([&] {
    const auto record = builders::BuildRecord::read(folder.path());
    (void)record.first_difference(builders::BuildRecord{
        .builder = "probe-r", .options = {{"seed", "0"}}, .sources = {{"captions", "/c"}}});
    // What is written of it is read as the same.
    record.write(folder.path());
    if (!builders::BuildRecord::read(folder.path()).first_difference(record).empty())
      __builtin_trap();
  });
  return 0;
}
