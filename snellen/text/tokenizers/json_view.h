// SPDX-License-Identifier: Apache-2.0
// A value of a parsed JSON file that knows where it is, so that every complaint names the file and
// the place. Included by the readers of tokenizer files only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

namespace snellen::text {

class JsonView {
 public:
  JsonView(simdjson::dom::element element, std::string where)
      : element_(element), where_(std::move(where)) {}

  const std::string& where() const { return where_; }
  bool is_null() const { return element_.is_null(); }
  bool is_string() const { return element_.is_string(); }
  bool is_object() const { return element_.is_object(); }

  // The member `key`; nothing when it is absent or null.
  std::optional<JsonView> find(std::string_view key) const;
  // Throws kInvalidInput when it is absent or null.
  JsonView at(std::string_view key) const;

  // Each throws kInvalidInput for a value of another type.
  std::string_view text() const;
  int64_t integer() const;
  bool boolean() const;
  simdjson::dom::array array() const;
  simdjson::dom::object object() const;

  bool boolean_or(std::string_view key, bool otherwise) const;
  std::string text_or(std::string_view key, std::string_view otherwise) const;
  // The member "type".
  std::string_view type() const { return at("type").text(); }
  JsonView element(simdjson::dom::element value, std::string_view name) const;

  [[noreturn]] void fail(std::string what, std::string hint = {}) const;

 private:
  simdjson::dom::element element_;
  std::string where_;
};

// A JSON file and its parsed form. Throws kNotFound, and kInvalidInput for a file that is too
// large, malformed or nested too deeply.
class JsonFile {
 public:
  explicit JsonFile(const std::filesystem::path& path);
  // The same for bytes; `source` names them.
  JsonFile(std::string_view bytes, std::string source);

  JsonView root() const { return {root_, source_}; }

 private:
  void parse(std::string_view bytes);

  std::string source_;
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

}  // namespace snellen::text
