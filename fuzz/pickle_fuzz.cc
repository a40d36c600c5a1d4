// SPDX-License-Identifier: Apache-2.0
// A torch archive of any bytes, and a pickle of any bytes inside a sound archive: refused with an
// Error, or every element that a tensor's strides reach lies inside its bytes.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/torch_archive.h"
#include "snellen/testing/handmade_files.h"

namespace {

void read(std::string_view file) {
  namespace models = snellen::models;
  try {
    for (const models::NamedTensor& named : models::read_torch_archive(file, "w.bin")) {
      const models::StoredTensorView& tensor = named.tensor;
      if (tensor.num_elements() == 0) continue;
      size_t last = 0;
      for (size_t i = 0; i < tensor.shape.size(); ++i)
        last += static_cast<size_t>((tensor.shape[i] - 1) * tensor.strides[i]);
      SNELLEN_CHECK((last + 1) * models::bytes_per_element(tensor.type) == tensor.bytes.size());
      SNELLEN_CHECK(tensor.bytes.data() >= file.data() &&
                    tensor.bytes.data() + tensor.bytes.size() <= file.data() + file.size());
    }
  } catch (const snellen::Error& error) {
    if (error.code() == snellen::ErrorCode::kInternal) throw;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("PK")) {
    read(bytes);
  } else {
    namespace handmade = snellen::models::handmade;
    read(handmade::zip({{"a/data.pkl", std::string(bytes)}, {"a/data/0", std::string(24, '\1')}}));
  }
  return 0;
}
