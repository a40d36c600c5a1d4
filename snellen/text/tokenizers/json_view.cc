// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/json_view.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json_memory.h"

namespace snellen::text {
namespace {

constexpr size_t kMostBytes = size_t{512} << 20;
constexpr size_t kMostDepth = 64;
constexpr size_t kMostDigits = 18;  // of a number that surely fits 64 bits

// simdjson reads no whole number above 64 bits, but Python writes int(1e30) for "no limit" into
// tokenizer_config.json: such numbers become floating ones.
std::string with_large_numbers(std::string_view bytes) {
  constexpr std::string_view kNumber = "+-.0123456789Ee";
  std::string out;
  for (size_t at = 0; at < bytes.size();) {
    size_t end = at + 1;
    bool is_number = kNumber.find(bytes[at]) != std::string_view::npos && bytes[at] != 'e';
    if (bytes[at] == '"') {
      while (end < bytes.size() && bytes[end] != '"') end += bytes[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, bytes.size());
    } else if (is_number) {
      end = std::min(bytes.find_first_not_of(kNumber, at), bytes.size());
    }
    std::string_view token = bytes.substr(at, end - at);
    out.append(token);
    bool is_whole = token.find_first_of(".eE") == std::string_view::npos;
    if (is_number && is_whole && token.size() > kMostDigits) out.append(".0");
    at = end;
  }
  return out;
}

}  // namespace

std::optional<JsonView> JsonView::find(std::string_view key) const {
  simdjson::dom::object members;
  if (element_.get(members) != simdjson::SUCCESS) fail("expected an object");
  simdjson::dom::element value;
  if (members.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return JsonView(value, fmt::format("{}: {}", where_, key));
}

JsonView JsonView::at(std::string_view key) const {
  std::optional<JsonView> value = find(key);
  if (!value) fail(fmt::format("'{}' is missing", key));
  return *value;
}

std::string_view JsonView::text() const {
  std::string_view value;
  if (element_.get(value) != simdjson::SUCCESS) fail("expected a string");
  return value;
}

int64_t JsonView::integer() const {
  int64_t value = 0;
  if (element_.get(value) != simdjson::SUCCESS) fail("expected a whole number");
  return value;
}

bool JsonView::boolean() const {
  bool value = false;
  if (element_.get(value) != simdjson::SUCCESS) fail("expected true or false");
  return value;
}

simdjson::dom::array JsonView::array() const {
  simdjson::dom::array value;
  if (element_.get(value) != simdjson::SUCCESS) fail("expected an array");
  return value;
}

simdjson::dom::object JsonView::object() const {
  simdjson::dom::object value;
  if (element_.get(value) != simdjson::SUCCESS) fail("expected an object");
  return value;
}

bool JsonView::boolean_or(std::string_view key, bool otherwise) const {
  std::optional<JsonView> value = find(key);
  return value ? value->boolean() : otherwise;
}

std::string JsonView::text_or(std::string_view key, std::string_view otherwise) const {
  std::optional<JsonView> value = find(key);
  return std::string(value ? value->text() : otherwise);
}

JsonView JsonView::element(simdjson::dom::element value, std::string_view name) const {
  return {value, fmt::format("{}: {}", where_, name)};
}

void JsonView::fail(std::string what, std::string hint) const {
  throw Error{ErrorCode::kInvalidInput, std::move(what), where_, std::move(hint)};
}

JsonFile::JsonFile(const std::filesystem::path& path) : source_(path.string()) {
  MappedFile file(path);
  parse(file.bytes());
}

JsonFile::JsonFile(std::string_view bytes, std::string source) : source_(std::move(source)) {
  parse(bytes);
}

void JsonFile::parse(std::string_view bytes) {
  if (bytes.size() > kMostBytes) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("has {} bytes, more than {}", bytes.size(), kMostBytes),
                source_,
                "no published tokenizer file is this large"};
  }
  simdjson::error_code code = parser_.allocate(std::max<size_t>(bytes.size(), 64), kMostDepth);
  if (code == simdjson::SUCCESS) code = parser_.parse(simdjson::padded_string(bytes)).get(root_);
  if (code == simdjson::NUMBER_ERROR)
    code = parser_.parse(simdjson::padded_string(with_large_numbers(bytes))).get(root_);
  formats::expect_memory(code);
  if (code != simdjson::SUCCESS) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("is not valid JSON: {}", simdjson::error_message(code)),
                source_,
                "fetch the file again"};
  }
}

}  // namespace snellen::text
