// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/vector_cache.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "snellen/base/error.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {
namespace {

constexpr int64_t kWidest = 1 << 20;

[[noreturn]] void fail(const std::filesystem::path& source, std::string what) {
  throw Error{ErrorCode::kInvalidInput,
              std::move(what),
              source.string(),
              "expected {\"dim\": D, \"vectors\": {text: [D numbers]}}"};
}

// Walks the object of vectors; formats::JsonElements has seen that its brackets and strings close.
class VectorScanner {
 public:
  VectorScanner(std::string_view object, const std::filesystem::path& source)
      : rest_(object), source_(source) {}

  void read_into(text::VectorTable& table) {
    take('{');
    skip_space();
    if (peek() == '}') return;
    std::vector<double> vector;
    while (true) {
      std::string name = quoted_text();
      take(':');
      numbers(name, vector);
      if (vector.size() != table.dim()) {
        fail(source_,
             fmt::format("the vector of \"{}\" has {} numbers, expected {}",
                         name,
                         vector.size(),
                         table.dim()));
      }
      table.add(name, vector);
      skip_space();
      if (peek() == '}') return;
      take(',');
    }
  }

 private:
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  void take(char wanted) {
    skip_space();
    if (peek() != wanted) fail(source_, fmt::format("expected '{}' in \"vectors\"", wanted));
    rest_.remove_prefix(1);
  }

  std::string quoted_text() {
    take('"');
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) fail(source_, "a text in \"vectors\" does not end");
    std::string quoted = fmt::format("\"{}\"", rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    std::string_view plain;
    if (parser_.parse(quoted).get(plain) != simdjson::SUCCESS)
      fail(source_, "a text in \"vectors\" is not valid JSON");
    return std::string(plain);
  }

  void numbers(const std::string& name, std::vector<double>& out) {
    out.clear();
    take('[');
    skip_space();
    if (peek() == ']') {
      rest_.remove_prefix(1);
      return;
    }
    while (true) {
      out.push_back(number(name));
      skip_space();
      if (peek() == ']') break;
      take(',');
    }
    rest_.remove_prefix(1);
  }

  double number(const std::string& name) {
    skip_space();
    // from_chars also reads "inf" and "nan", which are no JSON.
    size_t digit = peek() == '-' ? 1 : 0;
    bool is_number = digit < rest_.size() && rest_[digit] >= '0' && rest_[digit] <= '9';
    double value = 0;
    std::from_chars_result result{rest_.data(), std::errc::invalid_argument};
    if (is_number) result = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (result.ec != std::errc() || !std::isfinite(value)) {
      fail(source_,
           fmt::format("the vector of \"{}\" holds something that is not a finite number", name));
    }
    rest_.remove_prefix(static_cast<size_t>(result.ptr - rest_.data()));
    return value;
  }

  std::string_view rest_;
  const std::filesystem::path& source_;
  simdjson::dom::parser parser_;
};

int64_t read_dim(std::string_view json, const std::filesystem::path& source) {
  int64_t dim = 0;
  auto result = std::from_chars(json.data(), json.data() + json.size(), dim);
  bool is_whole = result.ec == std::errc() && result.ptr == json.data() + json.size();
  if (!is_whole || dim < 1 || dim > kWidest)
    fail(source, fmt::format("\"dim\" is {}", json.substr(0, 40)));
  return dim;
}

}  // namespace

text::VectorTable read_vector_cache(std::filesystem::path path) {
  formats::JsonElements elements(std::move(path));
  if (!elements.is_object()) fail(elements.path(), "the top level is an array, expected an object");
  std::optional<std::string_view> dim;
  std::optional<std::string_view> vectors;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements.key(i) == "dim") dim = elements.element(i);
    if (elements.key(i) == "vectors") vectors = elements.element(i);
  }
  if (!dim) fail(elements.path(), "key 'dim' is missing");
  if (!vectors) fail(elements.path(), "key 'vectors' is missing");
  text::VectorTable table(static_cast<size_t>(read_dim(*dim, elements.path())));
  VectorScanner(*vectors, elements.path()).read_into(table);
  return table;
}

}  // namespace snellen::annotations
