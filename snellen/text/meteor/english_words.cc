// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/english_words.h"

#include <algorithm>
#include <array>

namespace snellen::text::meteor {
namespace {

// Sorted by bytes.
constexpr std::array<std::string_view, 93> kFunctionWords = {
    "\"",     "$",      "'",     "'s",   "'t",   "(",     ")",     ",",     "-",     "--",
    "-lrb-",  "-rrb-",  ".",     ":",    "?",    "a",     "about", "after", "all",   "also",
    "an",     "and",    "are",   "as",   "at",   "be",    "been",  "but",   "by",    "can",
    "could",  "first",  "for",   "from", "had",  "has",   "have",  "he",    "her",   "his",
    "i",      "if",     "in",    "into", "is",   "it",    "its",   "last",  "more",  "new",
    "no",     "not",    "of",    "on",   "one",  "or",    "other", "out",   "over",  "people",
    "s",      "said",   "she",   "so",   "some", "than",  "that",  "the",   "their", "there",
    "they",   "this",   "time",  "to",   "two",  "up",    "was",   "we",    "were",  "what",
    "when",   "which",  "who",   "will", "with", "would", "year",  "years", "you",   "\u2014",
    "\u2019", "\u201C", "\u201D"};

// Words before whose final dot no sentence ends; sorted by code point. Single capital letters
// belong to them too.
constexpr std::array<std::u32string_view, 63> kPrefixes = {
    U"Adj",  U"Adm",  U"Adv",   U"Asst", U"Bart",   U"Bldg", U"Brig", U"Bros", U"Capt",
    U"Cmdr", U"Col",  U"Comdr", U"Con",  U"Corp",   U"Cpl",  U"DR",   U"Dr",   U"Drs",
    U"Ens",  U"Gen",  U"Gov",   U"Hon",  U"Hosp",   U"Hr",   U"Insp", U"Lt",   U"MM",
    U"MR",   U"MRS",  U"MS",    U"Maj",  U"Messrs", U"Mlle", U"Mme",  U"Mr",   U"Mrs",
    U"Ms",   U"Msgr", U"Nos",   U"Nr",   U"Op",     U"Ord",  U"Pfc",  U"Ph",   U"Prof",
    U"Pvt",  U"Rep",  U"Reps",  U"Res",  U"Rev",    U"Rt",   U"Sen",  U"Sens", U"Sfc",
    U"Sgt",  U"Sr",   U"St",    U"Supt", U"Surg",   U"e.g",  U"i.e",  U"rev",  U"v"};

}  // namespace

bool is_function_word(std::string_view word) {
  return std::binary_search(kFunctionWords.begin(), kFunctionWords.end(), word);
}

bool is_nonbreaking_prefix(std::u32string_view word) {
  if (word.size() == 1 && word[0] >= 'A' && word[0] <= 'Z') return true;
  return word == U"vs" || std::binary_search(kPrefixes.begin(), kPrefixes.end(), word);
}

bool is_numeric_prefix(std::u32string_view word) {
  return word == U"No" || word == U"Art" || word == U"pp";
}

}  // namespace snellen::text::meteor
