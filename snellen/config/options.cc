// SPDX-License-Identifier: Apache-2.0
#include "snellen/config/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/nearest.h"
#include "snellen/formats/json.h"

namespace snellen::config {
namespace {

template <typename T>
bool reads_as(std::string_view text, T& value) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

void check_value(const OptionFacts& facts, std::string_view value, std::string_view where) {
  auto refuse = [&](std::string_view wanted) {
    throw Error{ErrorCode::kUsage,
                fmt::format("'{}' wants {}, got '{}'", facts.name, wanted, value.substr(0, 80)),
                std::string(where),
                facts.help};
  };
  int64_t whole = 0;
  double real = 0;
  if (facts.kind == OptionKind::kInteger && !reads_as(value, whole)) refuse("a whole number");
  if (facts.kind == OptionKind::kNumber && (!reads_as(value, real) || !std::isfinite(real)))
    refuse("a number");
  if (facts.kind == OptionKind::kFlag && value != "true" && value != "false")
    refuse("true or false");
  if (facts.choices.empty()) return;
  std::vector<std::string> pieces = facts.kind == OptionKind::kList
                                        ? split_list(value)
                                        : std::vector<std::string>{std::string(value)};
  for (const std::string& piece : pieces) {
    if (std::find(facts.choices.begin(), facts.choices.end(), piece) != facts.choices.end())
      continue;
    throw Error{ErrorCode::kUsage,
                fmt::format("'{}' cannot be '{}'", facts.name, piece.substr(0, 80)),
                std::string(where),
                suggest(piece, facts.choices)};
  }
}

std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::vector<std::string> pieces;
  for (const nlohmann::json& piece : value) pieces.push_back(text_of(piece));
  return fmt::format("{}", fmt::join(pieces, ","));
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

Options::Options(std::vector<OptionFacts> declared) : declared_(std::move(declared)) {
  for (const OptionFacts& facts : declared_) {
    if (!facts.default_value.empty()) check_value(facts, facts.default_value, "default");
  }
}

const OptionFacts& Options::facts_of(std::string_view name, std::string_view where) const {
  std::string canonical = canonical_name(name);
  std::vector<std::string> known;
  for (const OptionFacts& facts : declared_) {
    if (facts.name == canonical) return facts;
    for (const std::string& alias : facts.aliases) {
      if (canonical_name(alias) == canonical) return facts;
    }
    known.push_back(facts.name);
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("unknown setting '{}'", name.substr(0, 80)),
              std::string(where),
              suggest(canonical, known)};
}

void Options::set(std::string_view name, std::string_view value, std::string_view where) {
  const OptionFacts& facts = facts_of(name, where);
  check_value(facts, value, where);
  values_[facts.name] = std::string(value);
}

void Options::set_from_json(std::string_view json, std::string_view where, bool keep_set) {
  nlohmann::json parsed = formats::parse_json(json);
  if (!parsed.is_object())
    throw Error{ErrorCode::kInvalidInput, "is not a JSON object of settings", std::string(where)};
  // A run folder's run.json holds the settings of that run under this key, beside its stamp.
  if (parsed.contains("schema") && parsed.contains("settings")) parsed = parsed["settings"];
  if (!parsed.is_object())
    throw Error{ErrorCode::kInvalidInput, "its settings are no JSON object", std::string(where)};
  for (const auto& [key, value] : parsed.items()) {
    if (value.is_null()) continue;  // as if it was not there
    if (keep_set && values_.contains(facts_of(key, where).name)) continue;
    set(key, text_of(value), where);
  }
}

bool Options::is_set(std::string_view name) const {
  return values_.contains(facts_of(name, "settings").name);
}

const std::string& Options::value_of(std::string_view name) const {
  const OptionFacts& facts = facts_of(name, "settings");
  auto found = values_.find(facts.name);
  return found == values_.end() ? facts.default_value : found->second;
}

const std::string& Options::text(std::string_view name) const {
  return value_of(name);
}

bool Options::flag(std::string_view name) const {
  return value_of(name) == "true";
}

int64_t Options::integer(std::string_view name) const {
  int64_t value = 0;
  reads_as(value_of(name), value);
  return value;
}

double Options::number(std::string_view name) const {
  double value = 0;
  reads_as(value_of(name), value);
  return value;
}

std::vector<std::string> Options::list(std::string_view name) const {
  return split_list(value_of(name));
}

std::map<std::string, std::string> Options::resolved(bool identity_only) const {
  std::map<std::string, std::string> all;
  for (const OptionFacts& facts : declared_) {
    if (identity_only && !facts.is_identity) continue;
    const std::string& value = value_of(facts.name);
    if (!value.empty()) all[facts.name] = value;
  }
  return all;
}

}  // namespace snellen::config
