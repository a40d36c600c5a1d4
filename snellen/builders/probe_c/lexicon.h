// SPDX-License-Identifier: Apache-2.0
// Attributes, nouns and compounds, and the pairs of them in a caption (docs/spec/probe.md 6.3).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "snellen/annotations/probe/attribute_table.h"

namespace snellen::builders::probe_c {

// An attribute before a noun, both as numbers in the order of their bytes, so that pairs sort as
// their texts do.
struct Pair {
  uint32_t attribute;
  uint32_t noun;

  auto operator<=>(const Pair&) const = default;
};

struct CaptionWords {
  std::vector<Pair> pairs;      // sorted, unique
  std::vector<uint32_t> nouns;  // mentioned; sorted, unique
};

// Tokens of a caption: runs of letters a-z with inner hyphens after ASCII lower-casing; any other
// character that is not white space is a token of its own.
void for_each_token(std::string_view lower_cased,
                    const std::function<void(std::string_view)>& take);

// Const methods are safe from many threads.
class Lexicon {
 public:
  // Nouns are single words, compounds two words joined by a blank. Attributes are no nouns.
  Lexicon(std::span<const std::string> nouns, std::span<const std::string> compounds);
  Lexicon(const Lexicon&) = delete;
  Lexicon& operator=(const Lexicon&) = delete;

  CaptionWords words_of(std::string_view caption) const;

  size_t num_attributes() const { return attributes_.size(); }
  size_t num_nouns() const { return nouns_.size(); }
  const std::string& attribute(uint32_t number) const { return attributes_[number]; }
  const std::string& noun(uint32_t number) const { return nouns_[number]; }
  // In the order of the table.
  std::span<const uint32_t> antonyms(uint32_t attribute) const { return antonyms_[attribute]; }
  // The attribute and its synonyms.
  std::span<const uint32_t> same(uint32_t attribute) const { return same_[attribute]; }

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  // What a word can be; a word may be a noun and part of compounds.
  struct Word {
    uint32_t attribute = kNone;
    uint32_t noun = kNone;
    std::vector<std::pair<std::string, uint32_t>> compounds = {};  // second word -> noun
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  const Word* find(std::string_view token) const;
  static uint32_t compound_at(const Word* first, std::string_view second);
  void add_attributes();

  std::vector<std::string> attributes_;
  std::vector<std::string> nouns_;  // compounds among them
  std::vector<std::vector<uint32_t>> antonyms_;
  std::vector<std::vector<uint32_t>> same_;
  std::unordered_map<std::string, Word, Hash, std::equal_to<>> words_;
};

}  // namespace snellen::builders::probe_c
