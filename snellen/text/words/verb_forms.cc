// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/verb_forms.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace snellen::text {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 8> kThirdPersons = {{{"be", "is"},
                                                {"have", "has"},
                                                {"gas", "gasses"},
                                                {"quiz", "quizzes"},
                                                {"whiz", "whizzes"},
                                                {"bus", "busses"},
                                                {"stomach", "stomachs"},
                                                {"focus", "focuses"}}};

constexpr std::array<Pair, 13> kGerunds = {{{"be", "being"},
                                            {"singe", "singeing"},
                                            {"tinge", "tingeing"},
                                            {"swinge", "swingeing"},
                                            {"binge", "bingeing"},
                                            {"dye", "dyeing"},
                                            {"eye", "eyeing"},
                                            {"age", "ageing"},
                                            {"gas", "gassing"},
                                            {"bus", "busing"},
                                            {"quiz", "quizzing"},
                                            {"whiz", "whizzing"},
                                            {"panic", "panicking"}}};

// Longer verbs whose last letter is doubled: the last syllable is stressed, or ends in l (British).
constexpr std::array<std::string_view, 54> kDoubling = {
    "abet",   "abhor",   "abut",     "acquit",   "admit",  "allot",  "annul",   "begin",
    "cancel", "channel", "commit",   "compel",   "concur", "confer", "control", "debug",
    "defer",  "deter",   "emit",     "enrol",    "equip",  "excel",  "expel",   "fuel",
    "forget", "format",  "fulfil",   "handicap", "incur",  "infer",  "instil",  "kidnap",
    "label",  "level",   "marvel",   "model",    "occur",  "omit",   "patrol",  "permit",
    "prefer", "program", "propel",   "recur",    "refer",  "regret", "remit",   "shovel",
    "signal", "submit",  "transfer", "transmit", "travel", "worship"};

// What may stand before a short verb without moving the stress from it: "unplug", "overrun".
constexpr std::array<std::string_view, 9> kPrefixes = {
    "un", "re", "over", "out", "mis", "dis", "de", "under", "up"};

// Short verbs that take such a prefix.
constexpr std::array<std::string_view, 36> kPrefixed = {
    "bar", "bid",  "bug",  "but",  "cap",   "clip", "clog", "cut",  "fit", "fog",  "get", "gut",
    "hit", "jam",  "map",  "mat",  "net",   "pin",  "plan", "plug", "pot", "put",  "run", "set",
    "sit", "snap", "spin", "stop", "strap", "tap",  "top",  "trim", "win", "wrap", "wed", "zip"};

template <size_t N>
bool is_in(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view other_of(std::span<const Pair> pairs, std::string_view word) {
  for (const Pair& pair : pairs) {
    if (pair.first == word) return pair.second;
  }
  return {};
}

bool is_vowel(char letter) {
  return std::string_view("aeiou").find(letter) != std::string_view::npos;
}

// The u of "qu" is heard as a consonant; a y after the first letter as a vowel.
bool is_vowel_at(std::string_view word, size_t at) {
  if (word[at] == 'u' && at > 0 && word[at - 1] == 'q') return false;
  return is_vowel(word[at]) || (word[at] == 'y' && at > 0);
}

int num_vowel_groups(std::string_view word) {
  int groups = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    if (is_vowel_at(word, i) && (i == 0 || !is_vowel_at(word, i - 1))) ++groups;
  }
  return groups;
}

// One vowel and one consonant at the end: "cut", "quit"; w, x and y are never doubled.
bool ends_short(std::string_view word) {
  if (word.size() < 2) return false;
  const size_t last = word.size() - 1;
  if (std::string_view("wxy").find(word[last]) != std::string_view::npos) return false;
  return !is_vowel_at(word, last) && is_vowel_at(word, last - 1) &&
         (last == 1 || !is_vowel_at(word, last - 2));
}

bool doubles_last(std::string_view verb) {
  if (!ends_short(verb)) return false;
  if (num_vowel_groups(verb) == 1 || is_in(kDoubling, verb)) return true;
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
    return verb.starts_with(prefix) && is_in(kPrefixed, verb.substr(prefix.size()));
  });
}

bool is_consonant_before(std::string_view word, size_t from_end) {
  return word.size() > from_end && !is_vowel(word[word.size() - 1 - from_end]);
}

}  // namespace

std::string third_person(std::string_view verb) {
  if (verb.empty()) return {};
  if (std::string_view known = other_of(kThirdPersons, verb); !known.empty())
    return std::string(known);
  std::string form(verb);
  const char last = verb.back();
  if (last == 'y' && verb.size() > 1 && is_consonant_before(verb, 1)) {
    form.pop_back();
    return form + "ies";
  }
  const bool hisses = last == 's' || last == 'x' || last == 'z' || verb.ends_with("ch") ||
                      verb.ends_with("sh") || (last == 'o' && is_consonant_before(verb, 1));
  return form + (hisses ? "es" : "s");
}

std::string gerund(std::string_view verb) {
  if (verb.empty()) return {};
  if (std::string_view known = other_of(kGerunds, verb); !known.empty()) return std::string(known);
  std::string form(verb);
  if (verb.size() > 2 && verb.ends_with("ie")) return form.substr(0, form.size() - 2) + "ying";
  const bool has_silent_e = verb.size() > 2 && verb.back() == 'e' && !verb.ends_with("ee") &&
                            !verb.ends_with("oe") && num_vowel_groups(verb) > 0;
  if (has_silent_e) {
    form.pop_back();
    return form + "ing";
  }
  if (verb.ends_with("ic") && num_vowel_groups(verb) > 1) return form + "king";  // mimic, traffic
  if (doubles_last(verb)) form += verb.back();
  return form + "ing";
}

}  // namespace snellen::text
