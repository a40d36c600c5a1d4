// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vectors/word2vec_file.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/parse_number.h"

namespace snellen::text {
namespace {

static_assert(std::endian::native == std::endian::little, "vectors are little-endian");

constexpr size_t kMaxDimension = 1 << 16;
constexpr size_t kMaxWordBytes = 1 << 16;

std::string_view next_field(std::string_view& line) {
  size_t start = line.find_first_not_of(" \t\r");
  if (start == std::string_view::npos) return line = {};
  size_t end = std::min(line.find_first_of(" \t\r", start), line.size());
  std::string_view field = line.substr(start, end - start);
  line.remove_prefix(end);
  return field;
}

template <typename Number>
bool read_number(std::string_view field, Number& number) {
  if (field.starts_with('+')) field.remove_prefix(1);
  const std::optional<Number> read = parse_number<Number>(field);
  if (read) number = *read;
  return read.has_value();
}

size_t num_fields(std::string_view line) {
  size_t count = 0;
  while (!next_field(line).empty()) ++count;
  return count;
}

// The numbers of a text line after its word; false unless there are exactly as many as `vector`
// holds.
bool read_vector(std::string_view line, std::vector<double>& vector) {
  for (double& x : vector) {
    if (!read_number(next_field(line), x)) return false;
  }
  return next_field(line).empty();
}

// A text file's first line of numbers is text through and through; floats are not.
bool looks_like_text(std::string_view body, size_t dimension) {
  std::string_view line = body.substr(0, body.find('\n'));
  next_field(line);
  std::vector<double> vector(dimension);
  return read_vector(line, vector);
}

}  // namespace

Word2VecFile::Word2VecFile(const std::filesystem::path& path, Word2VecFormat format) : file_(path) {
  read_header(format);
}

void Word2VecFile::fail(size_t word, std::string_view what) const {
  throw Error{ErrorCode::kInvalidInput,
              std::string(what),
              fmt::format("{}: word {}", file_.path().string(), word),
              "give a word2vec file, binary or text"};
}

void Word2VecFile::read_header(Word2VecFormat format) {
  std::string_view bytes = file_.bytes();
  std::string_view first = bytes.substr(0, bytes.find('\n'));
  std::string_view line = first;
  uint64_t count = 0;
  uint64_t dimension = 0;
  bool has_header = num_fields(line) == 2 && read_number(next_field(line), count) &&
                    read_number(next_field(line), dimension);
  if (!has_header) {
    if (format == Word2VecFormat::kBinary || num_fields(first) < 2) {
      fail(0, "first line is not a count and a dimension");
    }
    dimension = num_fields(first) - 1;
  }
  if (dimension == 0 || dimension > kMaxDimension) {
    fail(0, fmt::format("dimension {} is not between 1 and {}", dimension, kMaxDimension));
  }
  dimension_ = dimension;
  num_words_ = count;
  body_offset_ = has_header ? std::min(first.size() + 1, bytes.size()) : 0;
  is_binary_ = format == Word2VecFormat::kBinary ||
               (format == Word2VecFormat::kAuto && has_header &&
                !looks_like_text(bytes.substr(body_offset_), dimension_));
}

void Word2VecFile::for_each(const Visitor& visit) const {
  if (is_binary_) {
    for_each_binary(visit);
  } else {
    for_each_text(visit);
  }
}

void Word2VecFile::for_each_binary(const Visitor& visit) const {
  std::string_view rest = file_.bytes().substr(body_offset_);
  std::vector<float> stored(dimension_);
  std::vector<double> vector(dimension_);
  const size_t num_bytes = dimension_ * sizeof(float);
  for (size_t word = 1; word <= num_words_; ++word) {
    if (rest.starts_with('\n')) rest.remove_prefix(1);
    size_t end = rest.substr(0, kMaxWordBytes + 1).find(' ');
    if (end == std::string_view::npos) fail(word, "word has no end: the file is cut or not binary");
    if (rest.size() - end - 1 < num_bytes) {
      fail(word,
           fmt::format("vector has {} bytes left, expected {}: the file is cut",
                       rest.size() - end - 1,
                       num_bytes));
    }
    std::memcpy(stored.data(), rest.data() + end + 1, num_bytes);
    vector.assign(stored.begin(), stored.end());
    if (!visit(rest.substr(0, end), vector)) return;
    rest.remove_prefix(end + 1 + num_bytes);
  }
}

void Word2VecFile::for_each_text(const Visitor& visit) const {
  std::string_view rest = file_.bytes().substr(body_offset_);
  std::vector<double> vector(dimension_);
  for (size_t word = 1; !rest.empty(); ++word) {
    size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::string_view name = next_field(line);
    if (name.empty()) continue;
    if (!read_vector(line, vector))
      fail(word, fmt::format("line does not hold {} numbers", dimension_));
    if (!visit(name, vector)) return;
  }
}

}  // namespace snellen::text
