// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples/detail.h"

#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/python_json.h"

namespace snellen::store {
namespace {

// Holes; none of these characters can stand in JSON as they are.
constexpr char kNumber = '\x01';
constexpr char kText = '\x02';        // quoted with UTF-8 as it is
constexpr char kPythonText = '\x03';  // quoted with non-ASCII escaped
constexpr char kBool = '\x04';
// In front of a text that is taken as it is.
constexpr char kNoHoles = '\x05';

bool is_number_start(char c) {
  return c == '-' || (c >= '0' && c <= '9');
}

// Behind the quoted string that begins at `begin`; npos when it does not end.
size_t end_of_string(std::string_view json, size_t begin) {
  for (size_t i = begin + 1; i < json.size(); ++i) {
    if (json[i] == '\\') {
      ++i;
    } else if (json[i] == '"') {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

std::string unquoted(std::string_view token) {
  std::string_view inner = token.substr(1, token.size() - 2);
  if (inner.find('\\') == std::string_view::npos) return std::string(inner);
  nlohmann::json parsed = nlohmann::json::parse(token, nullptr, /*allow_exceptions=*/false);
  return parsed.is_string() ? parsed.get<std::string>() : std::string(inner);
}

// Puts a quoted string in a hole; false when it is quoted in neither of our two ways.
bool take_text(std::string_view token, Detail& detail) {
  if (token.size() < 2) return false;
  std::string text = unquoted(token);
  const bool is_utf8 = json_string(text) == token;
  if (!is_utf8 && python_string(text) != token) return false;
  detail.texts.push_back(std::move(text));
  detail.shape += is_utf8 ? kText : kPythonText;
  return true;
}

class Splitter {
 public:
  explicit Splitter(std::string_view json) : json_(json) {}

  Detail split() {
    while (at_ < json_.size()) {
      const char c = json_[at_];
      if (c == '"') {
        take_string();
      } else if (is_number_start(c)) {
        take_number();
      } else if (json_.substr(at_, 4) == "true" || json_.substr(at_, 5) == "false") {
        detail_.numbers.emplace_back(int64_t{c == 't'});
        fill(kBool, c == 't' ? 4 : 5);
      } else {
        keep(1);
      }
    }
    return std::move(detail_);
  }

 private:
  void keep(size_t count) {
    detail_.shape += json_.substr(at_, count);
    at_ += count;
  }
  void fill(char hole, size_t count) {
    detail_.shape += hole;
    at_ += count;
  }

  void take_string() {
    const size_t end = std::min(end_of_string(json_, at_), json_.size());
    const std::string_view token = json_.substr(at_, end - at_);
    const bool is_key = json_.substr(end, 1) == ":" || json_.substr(end, 2) == " :";
    if (!is_key && take_text(token, detail_)) {
      at_ += token.size();
    } else {
      keep(token.size());
    }
  }

  void take_number() {
    const size_t end = std::min(json_.find_first_not_of("0123456789+-.eE", at_), json_.size());
    const std::string_view token = json_.substr(at_, end - at_);
    int64_t integer = 0;
    double real = 0;
    auto reads = [&](auto& number) {
      auto [stop, code] = std::from_chars(token.data(), token.data() + token.size(), number);
      return code == std::errc() && stop == token.data() + token.size();
    };
    if (reads(integer) && std::to_string(integer) == token) {
      detail_.numbers.emplace_back(integer);
      fill(kNumber, token.size());
    } else if (reads(real) && python_float(real) == token) {
      detail_.numbers.emplace_back(real);
      fill(kNumber, token.size());
    } else {
      keep(token.size());
    }
  }

  std::string_view json_;
  size_t at_ = 0;
  Detail detail_;
};

[[noreturn]] void refuse() {
  throw Error{ErrorCode::kInvalidInput,
              "the detail of an item lacks some of its values",
              "samples.db",
              "it was changed by another program; run again with --overwrite"};
}

}  // namespace

Detail Detail::of(const JsonValue& value, const JsonStyle& style) {
  Detail detail;
  auto take = [&](char hole, auto number) {
    detail.numbers.emplace_back(number);
    detail.shape += hole;
    return true;
  };
  value.append_to(detail.shape, style, [&](const JsonValue::Held& held, std::string&) {
    if (const auto* flag = std::get_if<bool>(&held)) return take(kBool, int64_t{*flag});
    if (const auto* whole = std::get_if<int64_t>(&held)) return take(kNumber, *whole);
    if (const auto* real = std::get_if<double>(&held); real && std::isfinite(*real))
      return take(kNumber, *real);
    if (const auto* text = std::get_if<std::string>(&held))
      return take_text(style.is_ascii ? python_string(*text) : json_string(*text), detail);
    return false;
  });
  return detail;
}

Detail Detail::of_json(std::string_view json) {
  if (json.find_first_of("\x01\x02\x03\x04\x05") == std::string_view::npos)
    return Splitter(json).split();
  Detail detail;
  detail.shape = kNoHoles + std::string(json);
  return detail;
}

std::string Detail::json() const {
  if (shape.starts_with(kNoHoles)) return shape.substr(1);
  std::string json;
  json.reserve(shape.size() + 20 * numbers.size());
  size_t number = 0;
  size_t text = 0;
  for (char c : shape) {
    if (c == kNumber || c == kBool) {
      if (number == numbers.size()) refuse();
      const auto& value = numbers[number++];
      const int64_t* integer = std::get_if<int64_t>(&value);
      if (c == kBool) {
        json += integer && *integer != 0 ? "true" : "false";
      } else if (integer) {
        json += std::to_string(*integer);
      } else {
        append_python_float(json, std::get<double>(value));
      }
    } else if (c == kText || c == kPythonText) {
      if (text == texts.size()) refuse();
      c == kText ? append_json_string(json, texts[text++])
                 : append_python_string(json, texts[text++]);
    } else {
      json.push_back(c);
    }
  }
  if (number != numbers.size() || text != texts.size()) refuse();
  return json;
}

std::vector<DetailHole> holes_of(std::string_view shape) {
  std::vector<DetailHole> holes;
  if (shape.starts_with(kNoHoles)) return holes;
  struct Level {
    bool is_list;
    uint32_t place = 0;
    std::string key = {};
  };
  std::vector<Level> levels;
  auto add = [&](bool is_text) {
    DetailHole hole{.is_text = is_text, .name = {}, .place = 0};
    for (const Level& level : levels) {
      if (level.is_list) {
        hole.place = level.place;
      } else {
        hole.name += (hole.name.empty() ? "" : ".") + level.key;
      }
    }
    holes.push_back(std::move(hole));
  };
  for (size_t i = 0; i < shape.size(); ++i) {
    const char c = shape[i];
    if (c == '{' || c == '[') {
      levels.push_back({.is_list = c == '['});
    } else if ((c == '}' || c == ']') && !levels.empty()) {
      levels.pop_back();
    } else if (c == ',' && !levels.empty()) {
      ++levels.back().place;
    } else if (c == '"') {
      const size_t end = std::min(end_of_string(shape, i), shape.size());
      if (!levels.empty() && !levels.back().is_list && end - i >= 2)
        levels.back().key = unquoted(shape.substr(i, end - i));
      i = end - 1;
    } else if (c == kNumber || c == kBool) {
      add(/*is_text=*/false);
    } else if (c == kText || c == kPythonText) {
      add(/*is_text=*/true);
    }
  }
  return holes;
}

}  // namespace snellen::store
