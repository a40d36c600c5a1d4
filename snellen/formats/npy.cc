// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/npy.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::formats {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMostHeader = size_t{1} << 16U;

[[noreturn]] void fail(const std::filesystem::path& path, std::string what) {
  throw Error{ErrorCode::kInvalidInput,
              std::move(what),
              path.string(),
              "write it with numpy.save, one row of numbers"};
}

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    value |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

// What stands behind "'key':" in the header, which is the text of a Python dict.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  const size_t found = header.find(fmt::format("'{}':", key));
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view rest = header.substr(found + key.size() + 3);
  const size_t begin = rest.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::nullopt;
  return rest.substr(begin);
}

// "(12,)" -> 12.
std::optional<uint64_t> length_of(std::string_view shape) {
  if (!shape.starts_with('(')) return std::nullopt;
  uint64_t length = 0;
  const auto [end, code] = std::from_chars(shape.data() + 1, shape.data() + shape.size(), length);
  if (code != std::errc()) return std::nullopt;
  if (!std::string_view(end, shape.data() + shape.size()).starts_with(",)")) return std::nullopt;
  return length;
}

struct Dtype {
  char kind = 0;  // i, u or f
  size_t size = 0;
};

std::optional<Dtype> dtype_of(std::string_view descr) {
  // "'<i8'": byte order, kind, bytes.
  if (descr.size() < 5 || descr[0] != '\'' || descr[4] != '\'') return std::nullopt;
  const Dtype type{descr[2], static_cast<size_t>(descr[3] - '0')};
  const bool is_whole = (type.kind == 'i' || type.kind == 'u') &&
                        (type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8);
  const bool is_float = type.kind == 'f' && (type.size == 4 || type.size == 8);
  const bool is_ordered = descr[1] == '<' || (descr[1] == '|' && type.size == 1);
  if (!is_ordered || (!is_whole && !is_float)) return std::nullopt;
  return type;
}

double number_of(std::string_view bytes, Dtype type) {
  const uint64_t bits = little_endian(bytes);
  if (type.kind == 'f') {
    return type.size == 8 ? std::bit_cast<double>(bits)
                          : double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
  }
  if (type.kind == 'u') return static_cast<double>(bits);
  const auto unused = static_cast<unsigned>(64 - 8 * type.size);
  return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
}

}  // namespace

std::vector<double> read_npy(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::string_view bytes = file.bytes();
  if (!bytes.starts_with(kMagic) || bytes.size() < 10) fail(path, "is not a NumPy file");
  const int version = bytes[6];
  if (version < 1 || version > 3) fail(path, fmt::format("is of NumPy version {}", version));
  const size_t width = version == 1 ? 2 : 4;
  bytes.remove_prefix(8);
  if (bytes.size() < width) fail(path, "ends inside its header");
  const uint64_t header_size = little_endian(bytes.substr(0, width));
  bytes.remove_prefix(width);
  if (header_size > bytes.size() || header_size > kMostHeader) fail(path, "ends inside its header");
  const std::string_view header = bytes.substr(0, header_size);
  bytes.remove_prefix(header_size);

  const auto descr = value_of(header, "descr");
  const auto shape = value_of(header, "shape");
  const auto type = descr ? dtype_of(*descr) : std::nullopt;
  const auto length = shape ? length_of(*shape) : std::nullopt;
  if (!type) fail(path, "does not hold little-endian integers or floats");
  if (!length) fail(path, "does not hold one row of numbers");
  // The file's own size bounds what is allocated.
  if (*length > bytes.size() / type->size || *length * type->size != bytes.size()) {
    fail(path,
         fmt::format("has {} bytes of numbers, its header says {} numbers of {} bytes",
                     bytes.size(),
                     *length,
                     type->size));
  }
  std::vector<double> numbers;
  numbers.reserve(*length);
  for (uint64_t i = 0; i < *length; ++i)
    numbers.push_back(number_of(bytes.substr(i * type->size, type->size), *type));
  return numbers;
}

}  // namespace snellen::formats
