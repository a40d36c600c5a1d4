// SPDX-License-Identifier: Apache-2.0
#include "snellen/config/options.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/nearest.h"
#include "snellen/formats/json.h"

namespace snellen::config {
namespace {

// Settings of earlier versions that changed no result.
constexpr auto kRetired = std::to_array<std::string_view>({"pretend-memory"});

bool is_named(const OptionFacts& facts, std::string_view canonical) {
  return facts.name == canonical ||
         std::any_of(facts.aliases.begin(), facts.aliases.end(), [&](const std::string& alias) {
           return canonical_name(alias) == canonical;
         });
}

// As people type it.
std::string spelt(const OptionFacts& facts) {
  return facts.is_positional ? facts.name : "--" + facts.name;
}

std::string wanted_by(const OptionFacts& facts) {
  if (facts.kind == OptionKind::kInteger) return "a whole number";
  if (facts.kind == OptionKind::kNumber) return "a number";
  if (facts.kind == OptionKind::kList) return "a list of numbers";
  return "true or false";
}

[[noreturn]] void refuse(std::string what, std::string_view where, std::string hint) {
  throw Error{ErrorCode::kUsage, std::move(what), std::string(where), std::move(hint)};
}

// Choices and ranges; whether the text fits the member's type is checked when it is written.
void check_values(const OptionFacts& facts, const Option::Values& values, std::string_view where) {
  for (const std::string& value : values) {
    if (!facts.choices.empty() &&
        std::find(facts.choices.begin(), facts.choices.end(), value) == facts.choices.end())
      refuse(fmt::format("'{}' cannot be '{}'", facts.name, value.substr(0, 80)),
             where,
             suggest(value, facts.choices));
    if (facts.kind != OptionKind::kInteger && facts.kind != OptionKind::kNumber) continue;
    double number = 0;
    if (!TextForm<double>::read(value, number) || !std::isfinite(number))
      refuse(
          fmt::format("'{}' needs {}, got '{}'", facts.name, wanted_by(facts), value.substr(0, 80)),
          where,
          facts.help);
    const bool is_low = facts.excludes_lowest ? number <= facts.lowest : number < facts.lowest;
    if (!is_low && number <= facts.highest) continue;
    refuse(std::isfinite(facts.highest)
               ? fmt::format("is {}, expected {} to {}", value, facts.lowest, facts.highest)
               : fmt::format("is {}, expected {} {}",
                             value,
                             facts.excludes_lowest ? "a number above" : "at least",
                             facts.lowest),
           where,
           facts.help);
  }
}

// The words of a text that takes many, joined by commas: of those that name nothing ("NAME=VALUE")
// the last counts, as with other texts.
std::string joined_words(const Option::Values& given) {
  Option::Values kept;
  for (size_t i = 0; i < given.size(); ++i) {
    auto is_plain = [](const std::string& word) { return word.find('=') == std::string::npos; };
    const bool is_last =
        std::none_of(given.begin() + static_cast<std::ptrdiff_t>(i) + 1, given.end(), is_plain);
    if (!is_plain(given[i]) || is_last) kept.push_back(given[i]);
  }
  return fmt::format("{}", fmt::join(kept, ","));
}

// One value of a scalar, the last given; those of a list, split at commas where it is told to.
Option::Values normal_values(const OptionFacts& facts, const Option::Values& given) {
  if (facts.kind != OptionKind::kList && facts.takes_many) return {joined_words(given)};
  if (facts.kind != OptionKind::kList) return given.empty() ? given : Option::Values{given.back()};
  if (!facts.splits_commas) return given;
  Option::Values values;
  for (const std::string& one : given) {
    for (std::string& piece : split_list(one)) values.push_back(std::move(piece));
  }
  return values;
}

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The object that holds the settings: the file's, or that of a run folder's run.json.
const nlohmann::json& settings_object(const nlohmann::json& parsed, std::string_view where) {
  if (!parsed.contains("schema") || !parsed.contains("settings")) return parsed;
  const nlohmann::json& settings = parsed["settings"];
  if (!settings.is_object())
    throw Error{ErrorCode::kInvalidInput, "its settings are not a JSON object", std::string(where)};
  return settings;
}

}  // namespace

std::string canonical_name(std::string_view name) {
  std::string canonical(name);
  std::replace(canonical.begin(), canonical.end(), '_', '-');
  return canonical;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    size_t comma = std::min(text.find(','), text.size());
    std::string_view piece = text.substr(0, comma);
    while (!piece.empty() && piece.front() == ' ') piece.remove_prefix(1);
    while (!piece.empty() && piece.back() == ' ') piece.remove_suffix(1);
    if (!piece.empty()) pieces.emplace_back(piece);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return pieces;
}

void Block::declare(std::vector<Option> options) {
  auto declared = std::make_shared<std::vector<Option>>();
  for (const Option& option : options) {
    OptionFacts facts = option.facts();
    facts.default_value = fmt::format("{}", fmt::join(option.read(address_(value_)), ","));
    declared->emplace_back(
        std::move(facts),
        [option](const void* owner) { return option.read(owner); },
        [option](void* owner, const Option::Values& v) { return option.write(owner, v); });
  }
  options_ = std::move(declared);
}

const Option* Block::find(std::string_view canonical_name) const {
  auto found = std::find_if(options_->begin(), options_->end(), [&](const Option& option) {
    return is_named(option.facts(), canonical_name);
  });
  return found == options_->end() ? nullptr : &*found;
}

Option::Values Block::read(const Option& option) const {
  return option.read(address_(const_cast<std::any&>(value_)));  // NOLINT(*-const-cast): read only
}

bool Block::write(const Option& option, const Option::Values& values) {
  return option.write(address_(value_), values);
}

Options::Options(std::vector<Block> blocks) : blocks_(std::move(blocks)) {}

Options::Place Options::find(std::string_view name, std::string_view where) const {
  std::string canonical = canonical_name(name);
  std::vector<std::string> known;
  for (const Block& block : blocks_) {
    if (const Option* option = block.find(canonical)) return {&block, option};
    for (const Option& option : block.options()) known.push_back(option.facts().name);
  }
  refuse(fmt::format("unknown setting '{}'", name.substr(0, 80)), where, suggest(canonical, known));
}

void Options::set(std::string_view name, std::string_view value, std::string_view where) {
  set(name, Option::Values{std::string(value)}, where);
}

void Options::set(std::string_view name, const Option::Values& given, std::string_view where) {
  const OptionFacts facts = find(name, where).second->facts();
  const Option::Values values = normal_values(facts, given);
  check_values(facts, values, where);
  for (Block& block : blocks_) {
    const Option* option = block.find(facts.name);
    if (option == nullptr || (values.empty() && facts.kind != OptionKind::kList)) continue;
    // Owners may share a name: one takes a list, the other a single value.
    if (!block.write(*option, normal_values(option->facts(), given)))
      refuse(
          fmt::format(
              "'{}' needs {}, got '{}'", facts.name, wanted_by(facts), values.back().substr(0, 80)),
          where,
          facts.help);
  }
  set_.insert(facts.name);
}

void Options::set_from_json(std::string_view json,
                            std::string_view where,
                            bool keep_set,
                            const std::function<bool(const std::string& owner)>& is_wanted) {
  constexpr const char* kHint =
      "write an object of flags and values, as {\"tasks\": \"probe-c\", \"model\": \"clip\"}, or "
      "name "
      "a run.json";
  const nlohmann::json parsed = formats::parse_json_object(json, std::string(where), kHint);
  const nlohmann::json& settings = settings_object(parsed, where);
  const std::set<std::string, std::less<>> before = keep_set ? set_ : decltype(set_){};
  for (const bool is_own : {true, false}) {
    for (const auto& [key, value] : settings.items()) {
      const bool is_retired = std::count(kRetired.begin(), kRetired.end(), canonical_name(key)) > 0;
      if (value.is_null() || is_retired) continue;  // as if it was not there
      const auto [block, option] = find(key, where);
      if (block->owner().empty() != is_own || before.contains(option->facts().name)) continue;
      if (!is_own && is_wanted && !is_wanted(block->owner())) continue;
      Option::Values values;
      for (const nlohmann::json& piece : value.is_array() ? value : nlohmann::json::array({value}))
        values.push_back(text_of(piece));
      const bool is_list = option->facts().kind == OptionKind::kList;
      set(key, is_list ? values : Option::Values{fmt::format("{}", fmt::join(values, ","))}, where);
    }
  }
}

void Options::set_from_stamp(const std::map<std::string, std::string>& settings,
                             std::string_view where) {
  for (const auto& [name, value] : settings) {
    if (std::count(kRetired.begin(), kRetired.end(), name) == 0) set(name, value, where);
  }
}

void Options::check_required() const {
  for (const Block& block : blocks_) {
    for (const Option& option : block.options()) {
      const OptionFacts& facts = option.facts();
      const std::string flag = spelt(facts);
      const bool is_there = set_.contains(facts.name);
      if (facts.is_required && !is_there) refuse(flag + " is required", "", facts.help);
      if (!is_there) continue;
      if (!facts.needs.empty() && !set_.contains(facts.needs))
        refuse(fmt::format("is only used together with --{}", facts.needs), flag, "add it");
      if (!facts.excludes.empty() && set_.contains(facts.excludes))
        refuse(fmt::format("cannot be combined with --{}", facts.excludes), flag, "leave one out");
    }
  }
}

bool Options::is_set(std::string_view name) const {
  return set_.contains(find(name, "settings").second->facts().name);
}

std::string Options::text(std::string_view name) const {
  const auto [block, option] = find(name, "settings");
  return fmt::format("{}", fmt::join(block->read(*option), ","));
}

std::map<std::string, std::string> Options::resolved(bool identity_only) const {
  std::map<std::string, std::string> all;
  for (const Block& block : blocks_) {
    for (const Option& option : block.options()) {
      const OptionFacts& facts = option.facts();
      if (!facts.is_stamped || (identity_only && !facts.is_identity)) continue;
      std::string value = fmt::format("{}", fmt::join(block.read(option), ","));
      if (value.empty() || (facts.omits_default && value == facts.default_value)) continue;
      all.emplace(facts.name, std::move(value));
    }
  }
  return all;
}

void Options::throw_missing() {
  throw Error{ErrorCode::kInternal, "these settings hold no such struct", "config::Options"};
}

}  // namespace snellen::config
