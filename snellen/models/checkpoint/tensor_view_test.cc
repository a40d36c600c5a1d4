// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/tensor_view.h"

#include <gtest/gtest.h>

namespace snellen::models {
namespace {

TEST(TensorView, CountsElementsAndRefusesWhatNoMemoryHolds) {
  EXPECT_EQ(checked_num_elements({}), 1);
  EXPECT_EQ(checked_num_elements({2, 3, 4}), 24);
  EXPECT_EQ(checked_num_elements({5, 0}), 0);
  EXPECT_FALSE(checked_num_elements({-1}));
  EXPECT_FALSE(checked_num_elements({int64_t{1} << 62, 8}));
  EXPECT_FALSE(checked_num_elements(std::vector<int64_t>(17, 1)));
}

TEST(TensorView, KnowsRowMajorFromOtherStrides) {
  EXPECT_EQ(row_major_strides({2, 3, 4}), (std::vector<int64_t>{12, 4, 1}));
  StoredTensorView tensor{ElementType::kF32, {2, 3}, {3, 1}, {}};
  EXPECT_TRUE(tensor.is_contiguous());
  tensor.strides = {1, 2};
  EXPECT_FALSE(tensor.is_contiguous());
  tensor.shape = {1, 3};
  tensor.strides = {99, 1};
  EXPECT_TRUE(tensor.is_contiguous());
}

TEST(TensorView, NamesEveryElementType) {
  for (const char* name : {"F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U8", "BOOL"})
    EXPECT_EQ(name_of(element_type_of(name).value()), name);
  EXPECT_FALSE(element_type_of("F8_E4M3"));
  EXPECT_EQ(bytes_per_element(ElementType::kBF16), 2u);
  EXPECT_EQ(shape_text({2, 3}), "[2, 3]");
}

}  // namespace
}  // namespace snellen::models
