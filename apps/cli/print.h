// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "snellen/base/json_object.h"

namespace snellen::cli {

// Tables for people fit a terminal of the usual width.
constexpr size_t kTextWidth = 80;

// One line on stdout.
inline void print_json(const JsonObject& json) {
  fmt::print("{}\n", json.as_utf8().text);
}

// Prints to stderr. What cannot be written there is lost, and the verb goes on: a full disk behind
// a log must not end a run.
template <typename... Args>
void print_note(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace snellen::cli
