// SPDX-License-Identifier: Apache-2.0
// Sentences of ViLMA's rare actions, from a verb and a noun of RareAct (docs/spec/vilma.md 7.6).
#pragma once

#include <string>
#include <string_view>

namespace snellen::builders::vilma {

// "a phone", "an egg", "some corns". Plurals are made by adding s, and only of the nouns that the
// published texts have so, or where something is washed: "some potatos".
std::string noun_phrase(std::string_view verb, std::string_view noun);

// "cutting a phone"; "drilling into some eggs"; of "drink from" "drinking from a cup".
std::string active_sentence(std::string_view verb, std::string_view noun);
// The same with a phrase as it stands: "peeling", "a lemon".
std::string active_sentence_of_phrase(std::string_view verb, std::string_view phrase);

// "there is at least one phone", "there are some corns"; compat as the committed generator says it,
// "there is a phone".
std::string existential_sentence(std::string_view noun, bool is_compat);

}  // namespace snellen::builders::vilma
