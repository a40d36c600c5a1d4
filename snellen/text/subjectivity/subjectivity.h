// SPDX-License-Identifier: Apache-2.0
// How subjective a text is, as TextBlob says (PatternAnalyzer of textblob 0.20.1): the mean over
// the words of its lexicon, each with the modifier before it. The lexicon, en-sentiment.xml, is the
// user's file; none is in this program.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace snellen::text {

// Const methods are safe from many threads.
class Subjectivity {
 public:
  // Reads the <word .../> elements. Throws kNotFound, or kInvalidInput where there is none.
  static Subjectivity from_file(const std::filesystem::path& lexicon);
  // The same of a text; `where` is used in messages.
  static Subjectivity from_xml(std::string_view xml, const std::string& where);

  // 0 (objective) to 1; 0 for a text without a known word.
  double score(std::string_view text) const;

  size_t num_words() const { return words_.size(); }

 private:
  struct Word {
    double subjectivity = 0;
    double intensity = 1;
    bool is_adverb = false;  // it may modify the word behind it
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
  };
  using Words = std::unordered_map<std::string, Word, Hash, std::equal_to<>>;

  explicit Subjectivity(Words words) : words_(std::move(words)) {}

  Words words_;
};

}  // namespace snellen::text
