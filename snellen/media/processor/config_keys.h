// SPDX-License-Identifier: Apache-2.0
// Reading the keys of a small JSON configuration: a key that is absent or null takes its default, a
// value of the wrong form throws kInvalidInput naming the key and the file.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "snellen/base/error.h"

namespace snellen::media {

// `size` and `crop_size` in all their published spellings.
struct SizeKeys {
  std::optional<int> height;
  std::optional<int> width;
  std::optional<int> shortest_edge;
  std::optional<int> longest_edge;

  bool has_both_sides() const { return height && width; }
};

class ConfigKeys {
 public:
  // Parses an object; throws when it is none.
  ConfigKeys(std::string_view json, std::string_view where);
  ConfigKeys(nlohmann::json object, std::string where);

  bool has(const char* key) const;
  bool flag(const char* key, bool otherwise) const;
  double number(const char* key, double otherwise) const;
  int whole(const char* key, int otherwise, int least, int most) const;
  std::string text(const char* key, std::string_view otherwise) const;
  // One number for all channels, or three.
  std::array<double, 3> channels(const char* key, std::array<double, 3> otherwise) const;
  // Nothing when absent. A bare number is a square, or a shortest edge, as `is_square` says.
  std::optional<SizeKeys> size(const char* key, bool is_square) const;
  // The object under a key; an empty one when absent.
  ConfigKeys object(const char* key) const;

  [[noreturn]] void refuse(std::string_view key, std::string_view why) const;

 private:
  const nlohmann::json* find(const char* key) const;
  int side(const nlohmann::json& value, std::string_view key) const;

  nlohmann::json object_;
  std::string where_;
};

}  // namespace snellen::media
