// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/wire.h"

#include <bit>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::dist {
namespace {

Error broken(std::string what) {
  return Error{ErrorCode::kInvalidInput,
               std::move(what),
               "a message between ranks",
               "start every rank from the same build"};
}

}  // namespace

void WireWriter::number(uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(0x80 | (value & 0x7F)));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void WireWriter::real(double value) {
  auto bits = std::bit_cast<uint64_t>(value);
  for (int byte = 0; byte < 8; ++byte) bytes_.push_back(static_cast<char>(bits >> (8 * byte)));
}

void WireWriter::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
}

uint64_t WireReader::number() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) throw broken("ends within a number");
    auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    uint64_t part = byte & 0x7FU;
    if (shift == 63 && part > 1) break;
    value |= part << shift;
    if (byte < 0x80) return value;
  }
  throw broken("has a number of more than 64 bits");
}

uint64_t WireReader::number(uint64_t most) {
  uint64_t value = number();
  if (value > most) throw broken(fmt::format("gives {} where at most {} is possible", value, most));
  return value;
}

double WireReader::real() {
  if (rest_.size() < 8) throw broken("ends within a number");
  uint64_t bits = 0;
  for (size_t byte = 0; byte < 8; ++byte)
    bits |= uint64_t{static_cast<unsigned char>(rest_[byte])} << (8 * byte);
  rest_.remove_prefix(8);
  return std::bit_cast<double>(bits);
}

std::string_view WireReader::text() {
  uint64_t size = number(rest_.size());
  if (size > rest_.size()) throw broken("ends within a text");
  std::string_view value = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return value;
}

void WireReader::finish() const {
  if (!rest_.empty()) throw broken(fmt::format("has {} bytes too many", rest_.size()));
}

}  // namespace snellen::dist
