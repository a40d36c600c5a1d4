// SPDX-License-Identifier: Apache-2.0
// An index of weight files of any bytes: refused with an Error, or every shard is a plain file
// name.
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/models/checkpoint/weights_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const auto& [name, shard] : snellen::models::read_weights_index(text, "i.json")) {
      SNELLEN_CHECK(snellen::stays_inside(shard));
      SNELLEN_CHECK(std::filesystem::path(shard).filename() == shard);
    }
  } catch (const snellen::Error& error) {
    if (error.code() == snellen::ErrorCode::kInternal) throw;
  }
  return 0;
}
