// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/record.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

// A parser owns its tape; making one per record would cost more than the record. It is scratch
// memory only: nothing read from it outlives the Record.
dom::parser& parser_of_this_thread() {
  thread_local dom::parser parser;
  return parser;
}

}  // namespace

Record::Record(std::string_view json, std::string where, size_t limit_bytes)
    : where_(std::move(where)) {
  if (json.size() >= limit_bytes) {
    fail(fmt::format("the record has more than {} bytes", limit_bytes), "split it");
    return;
  }
  Result<ParsedObject> parsed = parse_object(parser_of_this_thread(), json, where_);
  if (parsed) {
    object_ = parsed->object;
    had_non_finite_ = parsed->had_non_finite;
  } else {
    fail(parsed.error().message());
  }
}

void Record::fail(std::string what, std::string hint) {
  if (!error_) error_ = bad_record(std::move(what), where_, std::move(hint));
}

std::optional<dom::element> Record::find(std::string_view key) const {
  dom::element element;
  if (failed() || !object_ || object_->at_key(key).get(element) != simdjson::SUCCESS)
    return std::nullopt;
  return element;
}

std::optional<dom::element> Record::require(const char* key) {
  std::optional<dom::element> element = find(key);
  if (!element) fail(fmt::format("key '{}' is missing", key));
  return element;
}

std::optional<dom::array> Record::require_list(const char* key) {
  auto element = require(key);
  if (!element) return std::nullopt;
  dom::array array;
  if (element->get(array) != simdjson::SUCCESS) {
    fail(fmt::format("'{}' is {}, expected a list", key, kind_of(*element)));
    return std::nullopt;
  }
  return array;
}

std::string Record::text(const char* key) {
  auto element = require(key);
  if (!element) return {};
  std::string_view text;
  if (element->get(text) != simdjson::SUCCESS)
    fail(fmt::format("'{}' is {}, expected a text", key, kind_of(*element)));
  return std::string(text);
}

std::string Record::id(const char* key) {
  auto element = require(key);
  if (!element) return {};
  std::string_view text;
  if (element->get(text) == simdjson::SUCCESS) {
    bool is_plain = !text.empty() && text.size() < 20 &&
                    text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_plain)
      fail(fmt::format("'{}' is \"{}\", expected an image id", key, text.substr(0, 80)));
    return std::string(text);
  }
  return fmt::format("{}", integer(key));
}

int64_t Record::integer(const char* key) {
  auto element = require(key);
  if (!element) return 0;
  int64_t value = 0;
  if (element->get(value) != simdjson::SUCCESS) {
    fail(fmt::format("'{}' is {}, expected a whole number", key, kind_of(*element)));
  }
  return value;
}

std::vector<std::string> Record::texts(const char* key) {
  std::vector<std::string> all;
  if (auto array = require_list(key)) {
    for (dom::element element : *array) {
      std::string_view text;
      if (element.get(text) != simdjson::SUCCESS) {
        fail(fmt::format(
            "'{}' holds {} at place {}, expected texts", key, kind_of(element), all.size()));
        return {};
      }
      all.emplace_back(text);
    }
  }
  return all;
}

std::vector<int64_t> Record::integers(const char* key) {
  std::vector<int64_t> all;
  if (auto array = require_list(key)) {
    for (dom::element element : *array) {
      int64_t value = 0;
      if (element.get(value) != simdjson::SUCCESS) {
        fail(fmt::format("'{}' holds {} at place {}, expected whole numbers",
                         key,
                         kind_of(element),
                         all.size()));
        return {};
      }
      all.push_back(value);
    }
  }
  return all;
}

std::vector<double> Record::finite_numbers(dom::array array, std::string_view name) {
  std::vector<double> all;
  for (dom::element element : array) {
    double value = 0;
    if (element.get(value) != simdjson::SUCCESS || !std::isfinite(value)) {
      const char* found =
          had_non_finite_ && element.is_null() ? "NaN or Infinity" : kind_of(element);
      fail(fmt::format(
          "'{}' holds {} at place {}, expected finite numbers", name, found, all.size()));
      return {};
    }
    all.push_back(value);
  }
  return all;
}

std::vector<double> Record::numbers(const char* key, size_t count) {
  auto array = require_list(key);
  if (!array) return {};
  std::vector<double> all = finite_numbers(*array, key);
  if (!failed() && count != 0 && all.size() != count) {
    fail(fmt::format("'{}' has {} numbers, expected {}", key, all.size(), count));
  }
  return all;
}

std::vector<std::vector<double>> Record::rows(const char* key, size_t columns) {
  std::vector<std::vector<double>> all;
  auto array = require_list(key);
  if (!array) return {};
  for (dom::element element : *array) {
    dom::array row;
    if (element.get(row) != simdjson::SUCCESS) {
      fail(fmt::format(
          "'{}' holds {} at place {}, expected lists", key, kind_of(element), all.size()));
      return {};
    }
    all.push_back(finite_numbers(row, key));
    if (!failed() && all.back().size() != columns) {
      fail(fmt::format("'{}' row {} has {} numbers, expected {}",
                       key,
                       all.size() - 1,
                       all.back().size(),
                       columns));
    }
    if (failed()) return {};
  }
  return all;
}

std::vector<double> Record::numbers_within(const char* outer, const char* inner) {
  auto element = require(outer);
  if (!element) return {};
  dom::array array;
  if (element->at_key(inner).get(array) != simdjson::SUCCESS) {
    fail(fmt::format("'{}.{}' is missing or not a list", outer, inner));
    return {};
  }
  return finite_numbers(array, fmt::format("{}.{}", outer, inner));
}

std::vector<std::string> Record::keys_of(const char* key) {
  std::vector<std::string> all;
  auto element = require(key);
  if (!element) return all;
  dom::object object;
  if (element->get(object) != simdjson::SUCCESS) {
    fail(fmt::format("'{}' is {}, expected an object", key, kind_of(*element)));
    return all;
  }
  for (dom::key_value_pair pair : object) all.emplace_back(pair.key);
  return all;
}

}  // namespace snellen::annotations
