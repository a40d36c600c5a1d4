// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/tensor_memory.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace snellen::models::nn {
namespace {

TEST(TensorMemory, TakesAFewSizesAndAtMostAnEighthMore) {
  EXPECT_EQ(bytes_taken_for(100), 100U);
  EXPECT_EQ(bytes_taken_for(1 << 20), size_t{1} << 20);
  EXPECT_EQ(bytes_taken_for((1 << 20) + 1), size_t{9} << 17);
  EXPECT_EQ(bytes_taken_for(3833856), size_t{15} << 18);
  for (size_t bytes = 1; bytes < (size_t{1} << 24); bytes = bytes * 5 / 4 + 1) {
    EXPECT_GE(bytes_taken_for(bytes), bytes);
    EXPECT_LE(bytes_taken_for(bytes), bytes + bytes / 8 + 1);
  }
}

TEST(TensorMemory, TensorsAreAlignedAndKeepTheirNumbers) {
  use_plain_memory();
  for (int64_t count : {0, 1, 7, 1000, 100'000, 1'000'003}) {
    at::Tensor numbers = at::arange(count, at::kFloat);
    if (count > 0) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(numbers.data_ptr()) % 64, 0U);
    }
    at::Tensor more = numbers.clone();
    EXPECT_TRUE(at::equal(more, numbers));
    more.resize_({count + 5});
    EXPECT_TRUE(at::equal(more.narrow(0, 0, count), numbers));
  }
}

}  // namespace
}  // namespace snellen::models::nn
