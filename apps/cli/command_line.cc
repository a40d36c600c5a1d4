// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/command_line.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace snellen::cli {
namespace {

bool needs_quotes(const std::string& word) {
  return word.empty() || word.find_first_of(" \t\n\"'\\$*?;&|<>()") != std::string::npos;
}

}  // namespace

std::vector<std::string> canonical_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  bool is_after_dashes = false;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (!is_after_dashes && word.starts_with("--")) {
      is_after_dashes = word == "--";
      size_t end = std::min(word.find('='), word.size());
      std::replace(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(end), '_', '-');
    }
    arguments.push_back(std::move(word));
  }
  return arguments;
}

std::string command_line(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    std::string word = i == 0 ? "snellen" : argv[i];
    if (needs_quotes(word)) {
      std::string quoted = "'";
      for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      word = quoted + "'";
    }
    words.push_back(std::move(word));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

int exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return 2;
    case ErrorCode::kInvalidInput:
    case ErrorCode::kNotFound:
      return 3;
    case ErrorCode::kUnmet:
      return 5;
    case ErrorCode::kInterrupted:
      return 130;
    default:
      return 1;
  }
}

}  // namespace snellen::cli
