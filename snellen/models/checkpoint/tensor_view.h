// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::models {

enum class ElementType { kF64, kF32, kF16, kBF16, kI64, kI32, kI16, kI8, kU8, kBool };

size_t bytes_per_element(ElementType type);
// The word safetensors uses: "F32", "BF16", "BOOL".
std::string_view name_of(ElementType type);
std::optional<ElementType> element_type_of(std::string_view name);

// A tensor as it lies in a weight file, little-endian. Its reader has checked that every element
// the shape and strides reach lies inside `bytes`. Compare the shape with the one you expect before
// you allocate: a stride of 0 lets few bytes stand for many elements.
struct StoredTensorView {
  ElementType type = ElementType::kF32;
  std::vector<int64_t> shape;    // [] is a scalar: one element
  std::vector<int64_t> strides;  // in elements, one per dimension, never negative
  // From the first element to the last one that the strides reach; no alignment is promised.
  std::string_view bytes;

  int64_t num_elements() const;
  // Row-major without gaps: `bytes` can be copied as a whole.
  bool is_contiguous() const;
};

struct NamedTensor {
  std::string name;
  StoredTensorView tensor;
};

// Row-major strides of a shape.
std::vector<int64_t> row_major_strides(const std::vector<int64_t>& shape);

// The product of a shape; nothing when a dimension is negative, the rank is above 16 or the product
// does not fit 63 bits.
std::optional<int64_t> checked_num_elements(const std::vector<int64_t>& shape);

// "[2, 3]", for messages.
std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace snellen::models
