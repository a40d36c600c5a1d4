// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace snellen::models {

// A configuration is small; deeper nesting or more bytes are no model's.
nlohmann::json parse_config(std::string_view text, const std::string& where);
nlohmann::json read_config(const std::filesystem::path& file);

// Typed reads of one object of a config.json. A key that is absent or null takes the default the
// caller names; a value of the wrong type or out of range throws kInvalidInput naming file, key and
// both. A view: the JSON must outlive it. Const methods are safe from many threads.
class ConfigView {
 public:
  static constexpr int64_t kMaxSize = int64_t{1} << 20;  // widths, vocabularies, positions, pixels
  static constexpr int64_t kMaxLayers = 1024;
  static constexpr size_t kMaxList = 4096;

  // `where` names file and object in messages: "DIR/config.json: text_config".
  ConfigView(const nlohmann::json& object, std::string where);
  ConfigView(nlohmann::json&&, std::string) = delete;

  // Present and not null.
  bool has(std::string_view key) const;
  // Present and neither null nor false: an option that was switched on.
  bool is_set(std::string_view key) const;
  bool is_list(std::string_view key) const;
  bool is_object(std::string_view key) const;
  const std::string& where() const { return where_; }

  // 1 .. max. Without a fallback the key must be there.
  int64_t positive(std::string_view key,
                   std::optional<int64_t> fallback = {},
                   int64_t max = kMaxSize) const;
  // A number of layers: 1 .. 1024.
  int64_t layers(std::string_view key, std::optional<int64_t> fallback = {}) const;
  // A number of heads, which must divide `width`.
  int64_t heads(std::string_view key, std::optional<int64_t> fallback, int64_t width) const;
  // Any whole number within 2^53: token ids, -1 for "no limit".
  int64_t integer(std::string_view key, std::optional<int64_t> fallback = {}) const;
  // Finite.
  double number(std::string_view key, std::optional<double> fallback = {}) const;
  // Finite and above 0: epsilons, scales.
  double positive_number(std::string_view key, std::optional<double> fallback = {}) const;
  bool boolean(std::string_view key, std::optional<bool> fallback = {}) const;
  std::string text(std::string_view key, std::optional<std::string> fallback = {}) const;
  // Lists of at most 4096.
  std::vector<int64_t> integers(std::string_view key,
                                std::optional<std::vector<int64_t>> fallback = {}) const;
  std::vector<double> numbers(std::string_view key,
                              std::optional<std::vector<double>> fallback = {}) const;
  std::vector<std::string> texts(std::string_view key,
                                 std::optional<std::vector<std::string>> fallback = {}) const;

  // An object inside; an empty one when it is absent or null, so that every key takes its default.
  ConfigView sub(std::string_view key) const;
  // The same with the legacy twin (spec: models 1.5): `<key>_dict`, when present and not null, is
  // completed with defaults and overrides, so it is the only one read. Not for BridgeTower, which
  // ignores the twins.
  ConfigView sub_with_twin(std::string_view key) const;

  // An error about this key, for checks that only the caller can make.
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;

 private:
  const nlohmann::json* find(std::string_view key) const;
  template <typename T, typename Convert>
  std::vector<T> list(std::string_view key,
                      std::optional<std::vector<T>> fallback,
                      Convert convert) const;

  const nlohmann::json* object_;
  std::string where_;
};

}  // namespace snellen::models
