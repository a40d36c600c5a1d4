// SPDX-License-Identifier: Apache-2.0
// Zip archives: directory, stored, deflate and zstd entries.
#include <cstdint>

#include "snellen/base/error.h"
#include "snellen/formats/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view archive(reinterpret_cast<const char*>(data), size);
  try {
    for (const snellen::formats::ZipEntry& entry :
         snellen::formats::read_zip_directory(archive, "fuzz.zip")) {
      try {
        snellen::formats::unpack(entry, 1 << 20, "fuzz.zip");
      } catch (const snellen::Error&) {
      }
    }
  } catch (const snellen::Error&) {
  }
  return 0;
}
