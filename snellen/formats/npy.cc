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

// "(12,)" -> {12}, "(3, 4)" -> {3, 4}; nothing for more dimensions.
std::optional<std::vector<uint64_t>> lengths_of(std::string_view shape) {
  if (!shape.starts_with('(')) return std::nullopt;
  std::vector<uint64_t> lengths;
  const char* at = shape.data() + 1;
  const char* const end = shape.data() + shape.size();
  while (at < end && *at != ')' && lengths.size() < 3) {
    uint64_t length = 0;
    const auto [next, code] = std::from_chars(at, end, length);
    if (code != std::errc()) return std::nullopt;
    lengths.push_back(length);
    at = next;
    if (at < end && *at == ',') ++at;
    while (at < end && *at == ' ') ++at;
  }
  if (at >= end || lengths.empty() || lengths.size() > 2) return std::nullopt;
  return lengths;
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

// What the header says, and the bytes of the numbers.
struct Contents {
  Dtype type;
  std::vector<uint64_t> lengths;
  std::string_view numbers;
};

Contents contents_of(const MappedFile& file) {
  const std::filesystem::path& path = file.path();
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
  const auto order = value_of(header, "fortran_order");
  const auto type = descr ? dtype_of(*descr) : std::nullopt;
  const auto lengths = shape ? lengths_of(*shape) : std::nullopt;
  if (!type) fail(path, "does not hold little-endian integers or floats");
  if (!lengths) fail(path, "does not hold one row or one matrix of numbers");
  if (lengths->size() == 2 && order && !order->starts_with("False"))
    fail(path, "holds its matrix column by column");
  // The file's own size bounds what is allocated.
  const uint64_t most = bytes.size() / type->size;
  uint64_t count = 1;
  for (uint64_t length : *lengths) {
    const bool is_too_large = length != 0 && count > most / length;
    count = is_too_large ? most + 1 : count * length;
  }
  if (count > most || count * type->size != bytes.size()) {
    fail(path,
         fmt::format("has {} bytes of numbers, its header says shape {} of {} bytes each",
                     bytes.size(),
                     shape->substr(0, shape->find(')') + 1),
                     type->size));
  }
  return {*type, *lengths, bytes};
}

std::vector<double> numbers_of(const Contents& contents) {
  const size_t size = contents.type.size;
  std::vector<double> numbers;
  numbers.reserve(contents.numbers.size() / size);
  for (size_t at = 0; at < contents.numbers.size(); at += size)
    numbers.push_back(number_of(contents.numbers.substr(at, size), contents.type));
  return numbers;
}

void write_file(const std::filesystem::path& path,
                std::string_view descr,
                std::string_view shape,
                std::string_view numbers) {
  static_assert(std::endian::native == std::endian::little);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
  // NumPy aligns the numbers to 64 bytes; the header ends with a line break.
  const size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string start(kMagic);
  start += {'\x01', '\x00'};
  start += static_cast<char>(header.size() & 0xFFU);
  start += static_cast<char>(header.size() >> 8U);
  AtomicFile file(path);
  file.write(start + header);
  file.write(numbers);
  file.commit();
}

}  // namespace

std::vector<double> read_npy(const std::filesystem::path& path) {
  const MappedFile file(path);
  const Contents contents = contents_of(file);
  if (contents.lengths.size() != 1) fail(path, "does not hold one row of numbers");
  return numbers_of(contents);
}

NpyMatrix read_npy_matrix(const std::filesystem::path& path) {
  const MappedFile file(path);
  const Contents contents = contents_of(file);
  const bool is_row = contents.lengths.size() == 1;
  return {.num_rows = is_row ? 1 : contents.lengths[0],
          .num_columns = is_row ? contents.lengths[0] : contents.lengths[1],
          .values = numbers_of(contents)};
}

void write_npy(const std::filesystem::path& path,
               std::span<const double> values,
               uint64_t num_rows,
               uint64_t num_columns) {
  SNELLEN_CHECK(values.size() == num_rows * num_columns);
  write_file(path,
             "<f8",
             fmt::format("{}, {}", num_rows, num_columns),
             {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void write_npy(const std::filesystem::path& path,
               std::span<const float> values,
               uint64_t num_rows,
               uint64_t num_columns) {
  SNELLEN_CHECK(values.size() == num_rows * num_columns);
  write_file(path,
             "<f4",
             fmt::format("{}, {}", num_rows, num_columns),
             {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void write_npy(const std::filesystem::path& path, std::span<const int64_t> values) {
  write_file(path,
             "<i8",
             fmt::format("{},", values.size()),
             {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

}  // namespace snellen::formats
