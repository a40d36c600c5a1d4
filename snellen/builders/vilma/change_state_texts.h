// SPDX-License-Identifier: Apache-2.0
// Sentences of ViLMA's change of state, from an object, its states and a verb
// (docs/spec/vilma.md 7.5).
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace snellen::builders::vilma {

// The object `change_of_state` of an item. Verbs may carry a particle: "cool down".
struct StateChange {
  std::string verb;
  std::string hypernym;
  std::string object;  // "the green beans"; may be empty
  std::string pre_state;
  std::string post_state;
  std::string inverse;  // the verb that undoes it
};

struct StateTextOptions {
  bool keeps_verb = false;   // --preserve-original: the verb itself, not its hypernym
  bool is_extended = false;  // every sentence tells before, action and after
  std::string start_adverb = "Initially";
  std::string central_adverb = "Then";
  std::string end_adverb = "At the end";
  // The reference's plural rule, its verbs that do not agree, its missing full stop and its fixed
  // "At the end".
  bool is_compat = false;
};

struct StateTexts {
  std::string caption;
  std::string foil;
};

enum class StateKind { kAction, kPreState, kPostState, kInverse };
inline constexpr std::array<StateKind, 4> kStateKinds = {
    StateKind::kAction, StateKind::kPreState, StateKind::kPostState, StateKind::kInverse};

// "action", "prestate", "poststate", "inverse": as in the names of files and ids.
std::string_view name_of(StateKind kind);

StateTexts state_texts(const StateChange& change, StateKind kind, const StateTextOptions& options);

// Whether "are" follows. Compat: the last letter is s, or "and" occurs anywhere, unless the letter
// before the last is s ("a hand are"). Default: the word "and", or a last s that is the plural's.
bool is_plural_object(std::string_view object, bool is_compat);

// Verbs of which the object is the subject: "the athlete jumps".
bool is_intransitive(std::string_view verb);

// First letter upper, rest lower, as Python's str.capitalize does (ASCII).
std::string capitalized(std::string_view text);

}  // namespace snellen::builders::vilma
