// SPDX-License-Identifier: Apache-2.0
// Sample logs of lmms-eval: every line is a sample, or the log is refused.
#include "apps/cli/import/imported.h"
#include "fuzz/fuzz_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFile file(data, size);
  fuzz::try_reading([&] {
    if (cli::read_lmms_log(file.path().string()).empty()) std::abort();
  });
  return 0;
}
