// SPDX-License-Identifier: Apache-2.0
// A safetensors file of any bytes: refused with an Error, or tensors that lie inside it.
#include <cstdlib>

#include "fuzz/fuzz_file.h"
#include "snellen/base/error.h"
#include "snellen/models/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  snellen::fuzz::FuzzFile file(data, size);
  try {
    snellen::models::Safetensors weights(file.path());
    size_t num_bytes = 0;
    for (const auto& [name, tensor] : weights.tensors()) {
      num_bytes += tensor.bytes.size();
      // Touches both ends of what the header claims.
      if (!tensor.bytes.empty() && tensor.bytes.front() + tensor.bytes.back() == 1000) std::abort();
    }
    if (num_bytes > size) std::abort();
  } catch (const snellen::Error&) {
  }
  return 0;
}
