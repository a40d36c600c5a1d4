// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/setting_flags.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/nearest.h"

namespace snellen::cli {
namespace {

using config::OptionFacts;
using config::OptionKind;

// "--data,-d", or the name of a positional.
std::string flag_names(const OptionFacts& facts) {
  std::string names = (facts.is_positional ? "" : "--") + facts.name;
  for (const std::string& alias : facts.aliases)
    names += (alias.size() == 1 ? ",-" : ",--") + config::canonical_name(alias);
  return names;
}

std::string help_line(const OptionFacts& facts) {
  std::string help = facts.help;
  if (!facts.choices.empty()) help += fmt::format(" [{}]", fmt::join(facts.choices, " "));
  const bool has_default = !facts.default_value.empty() && facts.default_value != "false";
  if (has_default) help += fmt::format(" (default {})", facts.default_value);
  if (facts.is_required) help += " (required)";
  return help;
}

std::string value_name(const OptionFacts& facts) {
  if (!facts.value_name.empty()) return facts.value_name;
  switch (facts.kind) {
    case OptionKind::kInteger:
      return "N";
    case OptionKind::kNumber:
      return "X";
    case OptionKind::kList:
      return facts.takes_many ? "A B" : "A,B";
    case OptionKind::kFlag:
      return "";
    default:
      return facts.choices.empty() ? "TEXT" : "WORD";
  }
}

}  // namespace

SettingFlags::SettingFlags(Command verb,
                           config::Options declared,
                           IsWanted is_wanted,
                           const std::vector<std::string>& left_out)
    : declared_(std::move(declared)), is_wanted_(std::move(is_wanted)) {
  std::map<std::string, CLI::Option*> known;
  for (const config::Block& block : declared_.blocks()) {
    for (const config::Option& option : block.options()) {
      const OptionFacts& facts = option.facts();
      if (std::find(left_out.begin(), left_out.end(), facts.name) != left_out.end()) continue;
      CLI::Option*& flag = known[facts.name];
      if (flag == nullptr) {
        flag = add_flag(verb.app(), option);
        const std::string heading = facts.group.empty() ? "Options" : facts.group;
        const bool is_owned = !block.owner().empty();
        flag->group(is_owned || facts.is_rare ? "" : heading);
        if (!is_owned && facts.is_rare) rare_flags_.emplace_back(flag, heading);
      } else if (facts.takes_many) {
        // Of another owner's option of this name, which takes one word.
        flag->expected(1, std::numeric_limits<int>::max())->allow_extra_args();
      }
      if (!block.owner().empty()) flags_of_owner_.emplace(block.owner(), flag);
    }
  }
  verb.app()
      .add_option("--config", *config_file_, "settings from a JSON file or a run.json; flags win")
      ->type_name("FILE");
  if (rare_flags_.empty()) return;
  verb.app().add_flag_callback(
      "--help-all",
      [this] {
        for (const auto& [flag, heading] : rare_flags_) flag->group(heading);
        throw CLI::CallForHelp();
      },
      "print the help with the settings that are rarely needed");
}

CLI::Option* SettingFlags::add_flag(CLI::App& verb, const config::Option& option) {
  const OptionFacts& facts = option.facts();
  const bool is_flag = facts.kind == OptionKind::kFlag;
  auto take = [this, is_flag, name = facts.name](const std::vector<std::string>& words) {
    std::vector<std::string>& values = (*given_)[name];
    values = words;
    // A flag that may be followed by true or false, and is not.
    if (is_flag && (values.empty() || values.back().empty())) values = {"true"};
    if (is_wanted_) show_wanted();
  };
  if (is_flag && !facts.default_value.empty())
    return verb.add_flag_function(
        flag_names(facts),
        [take](int64_t count) { take({count > 0 ? "true" : "false"}); },
        help_line(facts));
  CLI::Option* flag =
      verb.add_option_function<std::vector<std::string>>(flag_names(facts), take, help_line(facts));
  const int most = facts.takes_many ? std::numeric_limits<int>::max() : 1;
  return flag->expected(is_flag ? 0 : 1, most)
      ->type_name(value_name(facts))
      ->allow_extra_args(facts.takes_many)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

bool SettingFlags::is_used(const config::Block& block, const config::Options& settings) const {
  return block.owner().empty() || !is_wanted_ || is_wanted_(block.owner(), settings);
}

void SettingFlags::show_wanted() const {
  config::Options settings = declared_;
  for (const auto& [name, values] : *given_) {
    try {
      settings.set(name, values, "--" + name);
    } catch (const Error&) {
      continue;  // settings() tells it
    }
  }
  for (const auto& [owner, flag] : flags_of_owner_) {
    if (is_wanted_(owner, settings)) flag->group("Settings of " + owner);
  }
}

void SettingFlags::refuse_unused(const config::Options& settings) const {
  for (const auto& [name, values] : *given_) {
    std::string owners;
    bool is_any_used = false;
    for (const config::Block& block : settings.blocks()) {
      if (block.find(name) == nullptr) continue;
      is_any_used = is_any_used || is_used(block, settings);
      owners += (owners.empty() ? "" : " and ") + block.owner();
    }
    if (!is_any_used)
      throw Error{ErrorCode::kUsage,
                  fmt::format("is a setting of {}, which this command does not use", owners),
                  "--" + name,
                  "leave it out" + other_flag_meant(name)};
  }
}

// Of the verb's own, for '-m', which is --mode and was meant as --model.
std::string SettingFlags::other_flag_meant(const std::string& name) const {
  std::vector<std::string> own;
  for (const config::Block& block : declared_.blocks()) {
    if (!block.owner().empty()) continue;
    for (const config::Option& option : block.options()) own.push_back(option.facts().name);
  }
  const std::vector<std::string> near = nearest_names(name, own);
  return near.empty() ? "" : fmt::format(", or did you mean '--{}'?", near.front());
}

bool SettingFlags::is_of_verb(const std::string& name) const {
  const auto& all = declared_.blocks();
  return std::any_of(all.begin(), all.end(), [&](const config::Block& block) {
    return block.owner().empty() && block.find(name) != nullptr;
  });
}

// How messages call it.
std::string SettingFlags::spelt(const std::string& name) const {
  for (const config::Block& block : declared_.blocks()) {
    const config::Option* option = block.find(name);
    if (option != nullptr && option->facts().is_positional) return name;
  }
  return "--" + name;
}

config::Options SettingFlags::settings() const {
  config::Options settings = declared_;
  for (const auto& [name, words] : *given_) {
    if (is_of_verb(name)) settings.set(name, words, spelt(name));
  }
  if (!config_file_->empty()) {
    settings.set_from_json(read_text_file(*config_file_),
                           *config_file_,
                           /*keep_set=*/true,
                           [&](const std::string& owner) { return is_wanted_(owner, settings); });
  }
  // A flag of an owner that is not used is refused whatever its value is.
  refuse_unused(settings);
  for (const auto& [name, words] : *given_) {
    if (!is_of_verb(name)) settings.set(name, words, spelt(name));
  }
  settings.check_required();
  return settings;
}

const std::vector<std::string>& SettingFlags::words(const std::string& name) const {
  static const std::vector<std::string> kNone;
  auto found = given_->find(name);
  return found == given_->end() ? kNone : found->second;
}

}  // namespace snellen::cli
