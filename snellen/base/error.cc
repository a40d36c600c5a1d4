// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/error.h"

#include <array>

namespace snellen {
namespace {

struct Named {
  ErrorCode code;
  std::string_view name;
};

constexpr std::array kNames = {
    Named{ErrorCode::kUsage, "usage"},
    Named{ErrorCode::kInvalidInput, "invalid_input"},
    Named{ErrorCode::kNotFound, "not_found"},
    Named{ErrorCode::kIo, "io"},
    Named{ErrorCode::kBusy, "busy"},
    Named{ErrorCode::kMismatch, "mismatch"},
    Named{ErrorCode::kNothingScored, "nothing_scored"},
    Named{ErrorCode::kUnmet, "unmet"},
    Named{ErrorCode::kInterrupted, "interrupted"},
    Named{ErrorCode::kInternal, "internal"},
};

std::string one_line(const std::string& what, const std::string& where, const std::string& hint) {
  std::string line = where.empty() ? what : fmt::format("{}: {}", where, what);
  if (!hint.empty()) line += fmt::format(" ({})", hint);
  // Names in messages come from files of others: no line end may split the line, and no other
  // control character (C1 among them, as UTF-8) may steer a terminal.
  for (size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const bool is_c1 = i > 0 && c >= 0x80 && c < 0xA0 && line[i - 1] == '\xC2';
    if (c == '\n' || c == '\r' || c == '\t') {
      line[i] = ' ';
    } else if (c < 0x20 || c == 0x7F) {
      line[i] = '?';
    } else if (is_c1) {
      line[i - 1] = '?';
      line[i] = '?';
    }
  }
  return line;
}

}  // namespace

std::string_view name_of(ErrorCode code) {
  for (const Named& named : kNames) {
    if (named.code == code) return named.name;
  }
  return "internal";
}

ErrorCode error_code_of(std::string_view name) {
  for (const Named& named : kNames) {
    if (named.name == name) return named.code;
  }
  return ErrorCode::kInternal;
}

Error::Error(ErrorCode code, std::string what, std::string where, std::string hint)
    : code_(code),
      what_(std::move(what)),
      where_(std::move(where)),
      hint_(std::move(hint)),
      line_(one_line(what_, where_, hint_)) {}

Error Error::within(std::string_view outer) const {
  return Error{code_,
               what_,
               where_.empty() ? std::string(outer) : fmt::format("{}: {}", outer, where_),
               hint_};
}

void throw_internal(const char* condition, const char* file, int line) {
  throw Error{ErrorCode::kInternal,
              fmt::format("this should always hold but does not: {}", condition),
              fmt::format("{}:{}", file, line),
              "please report this with the command you ran"};
}

}  // namespace snellen
