// SPDX-License-Identifier: Apache-2.0
// The flags of a verb, made of the options that its settings declare.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/command.h"
#include "snellen/config/options.h"

namespace CLI {
class FormatterBase;
class Option;
class ParseError;
}  // namespace CLI

namespace snellen::cli {

class SettingFlags {
 public:
  // Whether this command uses what an owner of settings declares, as "task vilma".
  using IsWanted = std::function<bool(const std::string& owner, const config::Options& settings)>;

  // Adds a flag for every option that is not among `left_out`, and --config. Flags of an owner are
  // shown in the help and accepted when the owner is wanted. Rare options are shown by --help-all.
  SettingFlags(Command verb,
               config::Options declared,
               IsWanted is_wanted = {},
               const std::vector<std::string>& left_out = {});

  // What the command line set, on top of what a --config file sets. Throws kUsage for a value that
  // does not fit, a required option that is missing and a flag of an owner that is not wanted.
  config::Options settings() const;
  // Every value that the flag was given, in order.
  const std::vector<std::string>& words(const std::string& name) const;
  // Sets an option that has no flag.
  void set(const std::string& name, const std::string& value) { (*given_)[name] = {value}; }

 private:
  using Given = std::map<std::string, std::vector<std::string>>;

  CLI::Option* add_flag(CLI::App& verb, const config::Option& option);
  // Shows the flags of wanted owners and hides those of the others.
  void show_wanted() const;
  bool is_used(const config::Block& block, const config::Options& settings) const;
  void refuse_unused(const config::Options& settings) const;
  std::string other_flag_meant(const std::string& name) const;
  bool is_of_verb(const std::string& name) const;
  std::string spelt(const std::string& name) const;

  config::Options declared_;
  IsWanted is_wanted_;
  std::shared_ptr<Given> given_ = std::make_shared<Given>();
  std::shared_ptr<std::string> config_file_ = std::make_shared<std::string>();
  std::multimap<std::string, CLI::Option*> flags_of_owner_;
  std::vector<std::pair<CLI::Option*, std::string>> rare_flags_;  // with their headings
};

// A verb with one struct of settings: declares its flags and runs it.
template <typename S, typename Run>
std::function<int()> verb_with(Command verb,
                               S defaults,
                               std::vector<config::Option> options,
                               Run run) {
  auto flags = std::make_shared<SettingFlags>(
      verb,
      config::Options(
          std::vector<config::Block>{config::Block(std::move(defaults), std::move(options))}));
  return [flags, run] { return run(flags->settings().template get<S>()); };
}

// Help of at most 80 columns, with the flags grouped by heading.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// What is wrong with a command line that CLI11 refused: the misspelt verb or flag with the nearest
// known one, or CLI11's own words.
std::string explain(const CLI::App& program, const CLI::ParseError& error, std::string& hint);

}  // namespace snellen::cli
