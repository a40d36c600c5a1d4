// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace snellen::text::meteor {

// METEOR 1.5's English normaliser (docs/spec/visdial.md 4.1), then lower-casing: punctuation
// becomes tokens, clitics are split (`don 't`), acronyms lose their dots. Every pass is one
// left-to-right replacement, so that adjacent matches are missed exactly where the original misses
// them. One thread at a time; reuses its memory.
class Normalizer {
 public:
  // Words joined by single spaces, UTF-8. The view holds until the next call. Words are separated
  // by ' ' only.
  std::string_view normalize(std::string_view text);

 private:
  bool normalize_plain(std::string_view text);
  void normalize_general(std::string_view text);

  void pad_specials();
  void mark_dot_runs();
  void close_dot_runs();
  void space_commas();
  void unify_quotes();
  void unify_dashes();
  void space_apostrophes();
  void split_final_dots();
  void restore_dot_runs();
  void collapse_spaces();

  template <typename Before, typename After>
  void replace_between(Before before, char32_t mark, After after, std::u32string_view replacement);
  void replace_all(std::u32string_view what, std::u32string_view replacement);
  bool contains(char32_t c) const { return text_.find(c) != std::u32string::npos; }
  void take_next();

  std::u32string text_;  // the line between two passes
  std::u32string next_;  // what the running pass writes
  std::string lowered_;
};

}  // namespace snellen::text::meteor
