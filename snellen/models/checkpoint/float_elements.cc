// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/float_elements.h"

#include <bit>
#include <cstring>

#include "snellen/base/error.h"

namespace snellen::models {
namespace {

template <typename T>
float element(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<float>(value);
}

float half(const char* bytes) {
  uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  uint32_t sign = (bits & 0x8000U) << 16, exponent = (bits >> 10) & 31U, fraction = bits & 0x3FFU;
  if (exponent == 0) {
    float small = static_cast<float>(fraction) * 0x1p-24F;
    return sign ? -small : small;
  }
  uint32_t wide = exponent == 31 ? 255U : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

float brain(const char* bytes) {
  uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

float (*reader_of(ElementType type))(const char*) {
  switch (type) {
    case ElementType::kF64:
      return element<double>;
    case ElementType::kF32:
      return element<float>;
    case ElementType::kF16:
      return half;
    case ElementType::kBF16:
      return brain;
    case ElementType::kI64:
      return element<int64_t>;
    case ElementType::kI32:
      return element<int32_t>;
    case ElementType::kI16:
      return element<int16_t>;
    case ElementType::kI8:
      return element<int8_t>;
    case ElementType::kU8:
    case ElementType::kBool:
      return element<uint8_t>;
  }
  return element<float>;
}

// The upper `kept` bits of a number whose lower bits are rounded away, ties to even.
uint32_t rounded_shift(uint32_t bits, uint32_t shift) {
  uint32_t half_step = (1U << (shift - 1)) - 1U + ((bits >> shift) & 1U);
  return (bits + half_step) >> shift;
}

uint16_t brain_bits(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<uint16_t>(bits >> 16 | 0x40U);
  return static_cast<uint16_t>(rounded_shift(bits, 16));
}

uint16_t half_bits(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return static_cast<uint16_t>(sign | 0x7E00U);
  // 65520 and more round to infinity.
  if (magnitude >= 0x477FF000U) return static_cast<uint16_t>(sign | 0x7C00U);
  if (magnitude >= 0x38800000U)  // 2^-14: exponents move from bias 127 to 15
    return static_cast<uint16_t>(sign | rounded_shift(magnitude - 0x38000000U, 13));
  if (magnitude < 0x33000000U) return static_cast<uint16_t>(sign);  // below half of 2^-24
  uint32_t exponent = magnitude >> 23, fraction = (magnitude & 0x7FFFFFU) | 0x800000U;
  return static_cast<uint16_t>(sign | rounded_shift(fraction, 126U - exponent));
}

std::string halves(std::span<const float> values, uint16_t (*bits_of)(float)) {
  std::string bytes(values.size() * sizeof(uint16_t), '\0');
  for (size_t i = 0; i < values.size(); ++i) {
    uint16_t bits = bits_of(values[i]);
    std::memcpy(bytes.data() + i * sizeof bits, &bits, sizeof bits);
  }
  return bytes;
}

// Steps to the next index of a row-major walk; gives the element it lies at.
int64_t advance(std::vector<int64_t>& index, const StoredTensorView& tensor, int64_t offset) {
  for (size_t d = tensor.shape.size(); d-- > 0;) {
    offset += tensor.strides[d];
    if (++index[d] < tensor.shape[d]) return offset;
    offset -= index[d] * tensor.strides[d];
    index[d] = 0;
  }
  return offset;
}

}  // namespace

bool is_floating(ElementType type) {
  return type == ElementType::kF64 || type == ElementType::kF32 || type == ElementType::kF16 ||
         type == ElementType::kBF16;
}

std::vector<float> floats_of(const StoredTensorView& tensor) {
  std::vector<float> values(static_cast<size_t>(tensor.num_elements()));
  auto read = reader_of(tensor.type);
  size_t step = bytes_per_element(tensor.type);
  if (tensor.is_contiguous()) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = read(tensor.bytes.data() + i * step);
    return values;
  }
  std::vector<int64_t> index(tensor.shape.size(), 0);
  int64_t offset = 0;
  for (float& value : values) {
    value = read(tensor.bytes.data() + static_cast<size_t>(offset) * step);
    offset = advance(index, tensor, offset);
  }
  return values;
}

std::string bytes_of(std::span<const float> values, ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
    case ElementType::kF16:
      return halves(values, half_bits);
    case ElementType::kBF16:
      return halves(values, brain_bits);
    default:
      throw_internal("floats are written as F32, F16 or BF16", __FILE__, __LINE__);
  }
}

}  // namespace snellen::models
