// SPDX-License-Identifier: Apache-2.0
// One error type, two roads: Result<T> when failure is part of the data, throw Error when the run
// cannot go on.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace snellen {

enum class ErrorCode {
  kUsage,          // wrong or missing flag
  kInvalidInput,   // a file that is malformed, or a record in it
  kNotFound,       // a file or folder that is missing or unreadable
  kIo,             // reading or writing failed half way: full disk, lost mount
  kBusy,           // another process holds what this one needs
  kMismatch,       // stored results do not agree with what is recomputed
  kNothingScored,  // a run in which not one item was scored
  kUnmet,          // a gate or claim does not hold
  kInterrupted,    // stopped by the user; resumable
  kInternal,       // our own bug
};

// The word used for a code in --json output and in samples.db.
std::string_view name_of(ErrorCode code);
// The code of a word written by name_of; kInternal for any other word.
ErrorCode error_code_of(std::string_view name);

class Error : public std::exception {
 public:
  // what: lower case, with the numbers. where: file and record. hint: the next thing to do.
  Error(ErrorCode code, std::string what, std::string where = {}, std::string hint = {});

  ErrorCode code() const { return code_; }
  const std::string& message() const { return what_; }
  const std::string& where() const { return where_; }
  const std::string& hint() const { return hint_; }
  // One line: "where: what (hint)".
  const char* what() const noexcept override { return line_.c_str(); }

  // The same error with more context put before `where`.
  Error within(std::string_view outer) const;

 private:
  ErrorCode code_;
  std::string what_;
  std::string where_;
  std::string hint_;
  std::string line_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `return value;`
  Result(T value) : state_(std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): `return Error{...};`
  Result(Error error) : state_(std::move(error)) {}

  bool is_ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return is_ok(); }

  // The value, or throws the error it holds.
  const T& value() const& {
    if (!is_ok()) throw std::get<Error>(state_);
    return std::get<T>(state_);
  }
  T&& value() && {
    if (!is_ok()) throw std::get<Error>(state_);
    return std::get<T>(std::move(state_));
  }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

[[noreturn]] void throw_internal(const char* condition, const char* file, int line);

}  // namespace snellen

// For our own bugs only; input is checked with Result or throw Error.
#define SNELLEN_CHECK(condition) \
  ((condition) ? void(0) : ::snellen::throw_internal(#condition, __FILE__, __LINE__))
