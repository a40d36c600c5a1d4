// SPDX-License-Identifier: Apache-2.0
// How often each word is right and how often it is the foil's, in ViLMA annotation files
// (docs/spec/vilma.md 7.9): a word that is mostly right gives its items away.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "snellen/builders/building.h"

namespace snellen::builders::vilma {

enum class CountedWords {
  kMain,         // `class` and `classes_foil`
  kProficiency,  // `proficiency.mask_target` and `.predicted_word`
};

struct WordCount {
  uint64_t captions = 0;
  uint64_t foils = 0;
};

struct WordCounts {
  std::map<std::string, WordCount> words;
  uint64_t num_items = 0;  // that have such words
  builders::BadRecords bad_records;
};

// By default foils are all counted where an item names only the class of one, and an exchanged noun
// is taken from the foil's text, because the published files name another there; compat takes
// `classes_foil` as it is.
WordCounts count_words(std::span<const std::filesystem::path> files,
                       CountedWords which,
                       bool is_compat);

// "class,captions,foils" and a line per word, in the order of their bytes.
std::string word_counts_csv(const WordCounts& counts);
// [{"class": .., "captions": .., "foils": ..}, ..]
std::string word_counts_json(const WordCounts& counts);

}  // namespace snellen::builders::vilma
