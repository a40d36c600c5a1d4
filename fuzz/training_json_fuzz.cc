// SPDX-License-Identifier: Apache-2.0
// training.json of a checkpoint that a training goes on from.
#include "fuzz/fuzz_file.h"
#include "snellen/training/loop/checkpoints.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFolder folder(data, size, {"checkpoints/step-00000004/training.json"});
  for (const char* stamp : {"{}", "{\"lr\": \"0.1\"}"}) {
    fuzz::try_reading([&] {
      const training::Checkpoints checkpoints(folder.path(), stamp, folder.path());
      (void)checkpoints.last();
    });
  }
  return 0;
}
