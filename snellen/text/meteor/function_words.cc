// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "snellen/text/meteor/normalizer.h"

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

}  // namespace

bool is_function_word(std::string_view word) {
  return std::binary_search(kFunctionWords.begin(), kFunctionWords.end(), word);
}

}  // namespace snellen::text::meteor
