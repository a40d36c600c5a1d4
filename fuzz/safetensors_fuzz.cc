// SPDX-License-Identifier: Apache-2.0
// A safetensors file of any bytes: refused with an Error, or tensors that lie inside it.
#include <cstdint>
#include <cstdlib>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  try {
    size_t num_bytes = 0;
    for (const auto& [name, tensor] : snellen::models::read_safetensors(file, "fuzz")) {
      num_bytes += tensor.bytes.size();
      const bool is_inside = tensor.bytes.empty() || (tensor.bytes.data() >= file.data() &&
                                                      tensor.bytes.data() + tensor.bytes.size() <=
                                                          file.data() + file.size());
      if (!is_inside) std::abort();
    }
    if (num_bytes > size) std::abort();
  } catch (const snellen::Error&) {
  }
  return 0;
}
