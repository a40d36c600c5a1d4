// SPDX-License-Identifier: Apache-2.0
// The viewer's index of a run, kept as a file: with a right checksum in front of any bytes.
#include <cstring>

#include "fuzz/fuzz_file.h"
#include "snellen/base/content_key.h"
#include "snellen/store/browse/column_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ContentKey key = content_key(bytes);
  std::string whole = "snellen item columns 1\n";
  whole.append(reinterpret_cast<const char*>(&key), sizeof key);
  whole += bytes;
  const fuzz::FuzzFile file(reinterpret_cast<const uint8_t*>(whole.data()), whole.size());
  const auto columns = store::read_columns(file.path());
  if (!columns) return 0;
  for (const char* words : {"", "a"}) {
    store::ItemFilter filter;
    filter.category = words;
    for (auto sort : {store::ItemSort::kOrder, store::ItemSort::kMarginUp, store::ItemSort::kDoubt})
      (void)store::find_rows(*columns, filter, sort, 0, 50);
  }
  (void)columns->row_of(1);
  (void)columns->row_of_id(1);
  return 0;
}
