// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/tensor_view.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"

namespace snellen::models {
namespace {

constexpr size_t kMaxRank = 16;

struct TypeFacts {
  ElementType type;
  std::string_view name;
  size_t num_bytes;
};

constexpr std::array<TypeFacts, 10> kTypes = {{{ElementType::kF64, "F64", 8},
                                               {ElementType::kF32, "F32", 4},
                                               {ElementType::kF16, "F16", 2},
                                               {ElementType::kBF16, "BF16", 2},
                                               {ElementType::kI64, "I64", 8},
                                               {ElementType::kI32, "I32", 4},
                                               {ElementType::kI16, "I16", 2},
                                               {ElementType::kI8, "I8", 1},
                                               {ElementType::kU8, "U8", 1},
                                               {ElementType::kBool, "BOOL", 1}}};

const TypeFacts& facts_of(ElementType type) {
  size_t index = static_cast<size_t>(type);
  SNELLEN_CHECK(index < kTypes.size() && kTypes[index].type == type);
  return kTypes[index];
}

}  // namespace

size_t bytes_per_element(ElementType type) {
  return facts_of(type).num_bytes;
}

std::string_view name_of(ElementType type) {
  return facts_of(type).name;
}

std::optional<ElementType> element_type_of(std::string_view name) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.name == name) return facts.type;
  }
  return {};
}

int64_t StoredTensorView::num_elements() const {
  std::optional<int64_t> count = checked_num_elements(shape);
  SNELLEN_CHECK(count.has_value());
  return *count;
}

bool StoredTensorView::is_contiguous() const {
  if (num_elements() == 0) return true;
  std::vector<int64_t> expected = row_major_strides(shape);
  for (size_t i = 0; i < shape.size(); ++i) {
    // The stride of a dimension of one is never used.
    if (shape[i] != 1 && strides[i] != expected[i]) return false;
  }
  return true;
}

std::vector<int64_t> row_major_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    if (__builtin_mul_overflow(strides[i], std::max<int64_t>(shape[i], 1), &strides[i - 1])) {
      // Only a shape that also holds a 0 gets here: it has no elements to step over.
      strides[i - 1] = 0;
    }
  }
  return strides;
}

std::optional<int64_t> checked_num_elements(const std::vector<int64_t>& shape) {
  if (shape.size() > kMaxRank) return {};
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return {};
  }
  return count;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace snellen::models
