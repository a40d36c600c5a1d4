// SPDX-License-Identifier: Apache-2.0
// NumPy files: as many numbers as their header says, or refused; written again they are the same.
#include <cmath>
#include <cstring>
#include <span>

#include "fuzz/fuzz_file.h"
#include "snellen/formats/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFile file(data, size);
  fuzz::try_reading([&] { (void)formats::read_npy(file.path()); });
  fuzz::try_reading([&] {
    const formats::NpyMatrix read = formats::read_npy_matrix(file.path());
    if (read.values.size() != read.num_rows * read.num_columns) std::abort();
    formats::write_npy(
        file.path(), std::span<const double>(read.values), read.num_rows, read.num_columns);
    const formats::NpyMatrix again = formats::read_npy_matrix(file.path());
    if (again.num_rows != read.num_rows || again.num_columns != read.num_columns ||
        again.values.size() != read.values.size())
      std::abort();
    for (size_t i = 0; i < read.values.size(); ++i) {
      const bool is_same = again.values[i] == read.values[i] ||
                           (std::isnan(again.values[i]) && std::isnan(read.values[i]));
      if (!is_same) std::abort();
    }
  });
  return 0;
}
