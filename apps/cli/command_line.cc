// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/command_line.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/files.h"

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

OptionFlags::OptionFlags(CLI::App& app,
                         std::vector<config::OptionFacts> declared,
                         const std::vector<std::string>& hidden)
    : declared_(std::move(declared)) {
  for (const config::OptionFacts& option : declared_) {
    if (std::find(hidden.begin(), hidden.end(), option.name) != hidden.end()) continue;
    std::string names = "--" + option.name;
    for (const std::string& alias : option.aliases) {
      names += (alias.size() == 1 ? ",-" : ",--") + config::canonical_name(alias);
    }
    std::string help = option.help;
    if (!option.choices.empty()) help += fmt::format(" [{}]", fmt::join(option.choices, " "));
    if (!option.default_value.empty() && option.kind != config::OptionKind::kFlag)
      help += fmt::format(" (default {})", option.default_value);
    auto values = from_flags_;
    std::string name = option.name;
    if (option.kind == config::OptionKind::kFlag) {
      app.add_flag_function(
          names, [values, name](int64_t) { (*values)[name] = "true"; }, help);
    } else {
      CLI::Option* flag = app.add_option_function<std::vector<std::string>>(
          names,
          [values, name](const std::vector<std::string>& given) {
            (*values)[name] = fmt::format("{}", fmt::join(given, ","));
          },
          help);
      flag->expected(1)
          ->type_name(option.kind == config::OptionKind::kInteger  ? "N"
                      : option.kind == config::OptionKind::kNumber ? "X"
                      : option.kind == config::OptionKind::kList   ? "A,B"
                                                                   : "TEXT")
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
      if (option.takes_many) {
        flag->expected(1, std::numeric_limits<int>::max())
            ->type_name("A B")
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      }
    }
  }
}

config::Options OptionFlags::options(const std::string& config_file) const {
  config::Options options(declared_);
  for (const auto& [name, value] : given_) options.set(name, value, "--" + name);
  for (const auto& [name, value] : *from_flags_) options.set(name, value, "--" + name);
  if (!config_file.empty())
    options.set_from_json(read_text_file(config_file), config_file, /*keep_set=*/true);
  return options;
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
