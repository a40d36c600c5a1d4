// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/rare_texts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/text/words/verb_forms.h"

namespace snellen::builders::vilma {
namespace {

// Nouns that RareAct has in the singular and that are said of several.
constexpr std::array<std::string_view, 6> kMadePlural = {
    "clothe", "corn", "cucumber", "flower", "pepper", "spoon"};
// Nouns that are said with "some".
constexpr std::array<std::string_view, 10> kSome = {"carrots",
                                                    "clothes",
                                                    "corn",
                                                    "cucumbers",
                                                    "eggs",
                                                    "flowers",
                                                    "hair",
                                                    "peppers",
                                                    "shoes",
                                                    "spoons"};

template <size_t N>
bool is_in(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Noun {
  std::string text;
  bool is_some;  // said with "some"
};

Noun noun_of(std::string_view noun, bool is_washed) {
  if (is_in(kMadePlural, noun) || is_washed) return {std::string(noun) + "s", true};
  return {std::string(noun), is_in(kSome, noun)};
}

std::string with_article(const Noun& noun) {
  if (noun.is_some) return "some " + noun.text;
  const bool is_vowel =
      !noun.text.empty() && std::string_view("aeoi").find(noun.text[0]) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + noun.text;
}

}  // namespace

std::string noun_phrase(std::string_view verb, std::string_view noun) {
  return with_article(noun_of(noun, verb == "wash"));
}

std::string active_sentence_of_phrase(std::string_view verb, std::string_view phrase) {
  if (verb == "drill") return fmt::format("drilling into {}", phrase);
  const size_t blank = std::min(verb.find(' '), verb.size());
  return fmt::format("{}{} {}", text::gerund(verb.substr(0, blank)), verb.substr(blank), phrase);
}

std::string active_sentence(std::string_view verb, std::string_view noun) {
  return active_sentence_of_phrase(verb, noun_phrase(verb, noun));
}

std::string existential_sentence(std::string_view noun, bool is_compat) {
  const Noun said = noun_of(noun, /*is_washed=*/false);
  if (said.is_some) return fmt::format("there are some {}", said.text);
  return is_compat ? fmt::format("there is {}", with_article(said))
                   : fmt::format("there is at least one {}", said.text);
}

}  // namespace snellen::builders::vilma
