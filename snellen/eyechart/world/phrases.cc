// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/phrases.h"

#include <fmt/format.h>

#include "snellen/eyechart/world/nouns.h"

namespace snellen::eyechart {
namespace {

std::string_view state_word(const Noun& noun, double state) {
  const bool is_on = state > 0.5;
  if (noun.can(kOpens)) return is_on ? "open" : "closed";
  if (noun.can(kFills)) return is_on ? "full" : "empty";
  if (noun.can(kLights)) return is_on ? "lit" : "unlit";
  return "";
}

// Words that come in pairs or heads.
std::string_view measure_of(std::string_view noun) {
  if (noun == "scissors") return "pair of ";
  if (noun == "broccoli") return "head of ";
  return "";
}

bool is_worn(AttributeKind kind) {
  return kind == AttributeKind::kColour || kind == AttributeKind::kPattern;
}

std::string with_article(std::string_view text) {
  return fmt::format("{} {}", article_for(text), text);
}

std::string person_phrase(const std::vector<NamedAttribute>& attributes) {
  std::string person;
  std::string shirt;
  for (const NamedAttribute& one : attributes) {
    (is_worn(one.kind) ? shirt : person) += fmt::format("{} ", one.name);
  }
  const std::string who = with_article(person + "person");
  return shirt.empty() ? who : fmt::format("{} in {}", who, with_article(shirt + "shirt"));
}

}  // namespace

std::vector<NamedAttribute> attributes_of(const Thing& thing) {
  const Noun& noun = nouns()[thing.noun];
  const Look& look = thing.look;
  std::vector<NamedAttribute> found;
  auto add = [&](AttributeKind kind, std::string_view name) {
    if (!name.empty()) found.push_back({kind, name});
  };
  add(AttributeKind::kSize, kSizes.at(static_cast<size_t>(look.size)));
  add(AttributeKind::kState, state_word(noun, look.state));
  add(AttributeKind::kForm, kForms.at(static_cast<size_t>(look.form)));
  const bool is_patterned = look.pattern != Pattern::kPlain;
  if (is_patterned) add(AttributeKind::kPattern, kPatterns.at(static_cast<size_t>(look.pattern)));
  if (!noun.can(kFixedColour) && takes_colour(look.material))
    add(AttributeKind::kColour, kColours.at(look.colour).name);
  add(AttributeKind::kMaterial, kMaterials.at(static_cast<size_t>(look.material)));
  return found;
}

std::string_view article_for(std::string_view word) {
  if (word.starts_with("unlit") || word.starts_with("umbrella")) return "an";
  return !word.empty() && std::string_view("aeio").find(word.front()) != std::string_view::npos
             ? "an"
             : "a";
}

std::string phrase_of(const Thing& thing, const std::vector<NamedAttribute>& attributes) {
  const Noun& noun = nouns()[thing.noun];
  if (thing.copies > 1) return fmt::format("a group of {}", noun.plural);
  if (noun.name == "person") return person_phrase(attributes);
  std::string words;
  for (const NamedAttribute& one : attributes) words += fmt::format("{} ", one.name);
  return with_article(fmt::format("{}{}{}", measure_of(noun.name), words, noun.name));
}

std::string drawn_phrase(Rng& rng, const Thing& thing) {
  std::vector<NamedAttribute> said;
  for (const NamedAttribute& one : attributes_of(thing)) {
    const uint64_t percent = one.kind == AttributeKind::kColour ? 62
                             : one.kind == AttributeKind::kSize ? 30
                                                                : 42;
    if (rng.below(100) < percent) said.push_back(one);
  }
  // More than two are tiresome.
  while (said.size() > 2) said.erase(said.begin() + static_cast<ptrdiff_t>(rng.below(said.size())));
  return phrase_of(thing, said);
}

std::string sentence(std::string_view text) {
  std::string result(text);
  if (result.empty()) return result;
  if (result[0] >= 'a' && result[0] <= 'z') result[0] = static_cast<char>(result[0] - 'a' + 'A');
  if (result.back() != '.') result += '.';
  return result;
}

}  // namespace snellen::eyechart
