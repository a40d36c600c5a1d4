// SPDX-License-Identifier: Apache-2.0
// data.json of the user's configuration folder: read, changed and read again, or refused.
#include "fuzz/fuzz_file.h"
#include "snellen/config/data_registry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFile file(data, size);
  fuzz::try_reading([&] {
    config::DataRegistry registry(file.path());
    const size_t before = registry.folders().size();
    const bool was_there = registry.find("coco").has_value();
    registry.set("coco", "/pictures");
    config::DataRegistry again(file.path());
    if (again.folders().size() != before + (was_there ? 0 : 1)) std::abort();
    if (again.find("coco") != registry.find("coco")) std::abort();
  });
  return 0;
}
