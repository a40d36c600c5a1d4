// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/meteor/index_file.h"

namespace snellen::text::meteor {

inline constexpr IndexFormat kLexiconFormat{/*kind=*/0x4C455849, /*version=*/1};

// The synset and exception tables that METEOR's synonym matcher reads (docs/spec/visdial.md 4.3
// and 4.7). Const methods are safe from many threads.
class Lexicon {
 public:
  // No tables: no two words are synonyms.
  Lexicon();
  // An image of build_lexicon. Throws kInvalidInput when its sections do not fit together.
  explicit Lexicon(IndexFile file);

  bool is_empty() const { return lemmas_.slots.empty(); }
  bool has_lemma(std::string_view word) const { return lemmas_.find(word).data() != nullptr; }
  // The ids of all synsets of `word` and of its base forms, ascending, each once; replaces `ids`.
  void synsets_of(std::string_view word, std::vector<int64_t>& ids) const;
  // METEOR's inflection rules: the base form that is a lemma, `word` itself when it is too short or
  // ends in "ss", empty when no rule leads to a lemma.
  std::string base_form(std::string_view word) const;

 private:
  // Lines come in twos, key and value; a slot holds the place of a key line + 1.
  struct Table {
    std::string_view text;
    std::span<const uint32_t> slots;
    // The value line; null data when the key is not there.
    std::string_view find(std::string_view key) const;
  };

  void append_synsets(std::string_view lemma, std::vector<int64_t>& ids) const;

  std::vector<IndexFile> file_;  // none or one
  Table lemmas_;                 // lemma -> synset ids
  Table forms_;                  // irregular form -> base forms
};

struct LexiconTexts {
  std::string synsets;     // per lemma: the lemma, then its synset ids
  std::string exceptions;  // per base form: the base, then its irregular forms
  std::string synsets_name = "english.synsets";  // for errors
  std::string exceptions_name = "english.exceptions";
};

// The bytes of the index file. Throws kInvalidInput with file and line for a table that is not in
// this form.
std::string build_lexicon(const LexiconTexts& texts, std::string_view source_sha256);

// A lexicon of these texts, in memory.
Lexicon lexicon_of(const LexiconTexts& texts);

}  // namespace snellen::text::meteor
