// SPDX-License-Identifier: Apache-2.0
// The index of a cache segment: whatever it says, rows are whole or absent.
#include <filesystem>
#include <vector>

#include "fuzz/fuzz_file.h"
#include "snellen/base/files.h"
#include "snellen/store/cache/segment.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace store = snellen::store;
  snellen::fuzz::FuzzFile file(data, size);
  // The same bytes as rows and as their index.
  std::filesystem::path rows = file.path();
  rows += ".rows";
  std::filesystem::path index = store::index_of(rows);
  std::filesystem::copy_file(file.path(), rows, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::copy_file(file.path(), index, std::filesystem::copy_options::overwrite_existing);
  store::Segment segment(rows, /*keeps_open=*/size % 2 == 0);
  std::vector<float> row;
  for (const store::IndexRecord& record : segment.records(1000)) {
    if (segment.read(record, row) && store::checksum_of(record.key, row) != record.checksum)
      std::abort();
  }
  std::filesystem::remove(rows);
  std::filesystem::remove(index);
  return 0;
}
