// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/normalizer.h"

#include <algorithm>

#include "snellen/text/meteor/english_words.h"
#include "snellen/text/meteor/java_text.h"

namespace snellen::text::meteor {
namespace {

constexpr std::u32string_view kDotMulti = U"DOTMULTI";
constexpr std::u32string_view kDot = U"DOT";

bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char32_t c) {
  return c >= 'a' && c <= 'z';
}
// Left alone when specials are padded; all of it but the vertical tab separates words.
bool is_space(char32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D);
}
bool is_separator(char32_t c) {
  return is_space(c) && c != 0x0B;
}

// The letters of the normaliser: Latin with its extensions, Cyrillic, phonetic extensions.
bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return (c >= 0xC0 && c <= 0x17E && c != 0xD7 && c != 0xF7) || c == 0x178 ||
         (c >= 0x400 && c <= 0x527) || (c >= 0xA640 && c <= 0xA66E) ||
         (c >= 0xA67E && c <= 0xA697) || (c >= 0x1D00 && c <= 0x1D7F);
}

bool is_alphanumeric(char32_t c) {
  return is_letter(c) || is_digit(c);
}

// Punctuation with rules of its own; all else that is not a letter, digit or space is padded with
// spaces.
bool has_own_rule(char32_t c) {
  return c == '.' || c == '\'' || c == ',' || c == '-' || c == '`' || c == 0x2018 || c == 0x2019;
}

bool is_wide_space(char32_t c) {
  return c == ' ' || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000 ||
         c == 0xA0;
}

enum class FinalDot { kKeep, kDetach, kDropAllDots };

// What becomes of the dot that ends `word`; `next` is the following word, empty at the end of the
// line.
FinalDot final_dot_of(std::u32string_view word, std::u32string_view next) {
  std::u32string_view before = word.substr(0, word.size() - 1);
  if (before.find(U'.') != std::u32string_view::npos &&
      std::any_of(before.begin(), before.end(), is_letter)) {
    return FinalDot::kDropAllDots;
  }
  if (is_nonbreaking_prefix(before) || (!next.empty() && is_lower(next[0]))) return FinalDot::kKeep;
  if (is_numeric_prefix(before) && !next.empty() && is_digit(next[0])) return FinalDot::kKeep;
  return FinalDot::kDetach;
}

// The word that starts at or after `from`; empty at the end of the line.
std::u32string_view next_word(std::u32string_view line, size_t from) {
  while (from < line.size() && is_separator(line[from])) ++from;
  size_t end = from;
  while (end < line.size() && !is_separator(line[end])) ++end;
  return line.substr(from, end - from);
}

}  // namespace

std::string_view Normalizer::normalize(std::string_view text) {
  if (!normalize_plain(text)) normalize_general(text);
  return lowered_;
}

// A line of ASCII letters, digits and white space needs no pass at all; most answers are such
// lines.
bool Normalizer::normalize_plain(std::string_view text) {
  lowered_.clear();
  bool has_capital_d = false;
  bool owes_space = false;
  for (char c : text) {
    auto u = static_cast<unsigned char>(c);
    if (is_separator(u)) {
      owes_space = !lowered_.empty();
      continue;
    }
    if (!(is_lower(u) || is_digit(u) || (u >= 'A' && u <= 'Z'))) return false;
    if (u == 'D') has_capital_d = true;
    if (owes_space) lowered_.push_back(' ');
    owes_space = false;
    lowered_.push_back(static_cast<char>(u >= 'A' && u <= 'Z' ? u + 32 : u));
  }
  // The marker of dot runs, written by a user, would be turned into dots.
  return !has_capital_d || text.find("DOTMULTI") == std::string_view::npos;
}

void Normalizer::normalize_general(std::string_view text) {
  text_.assign(1, U' ');
  decode_java_utf8(text, text_);
  text_.push_back(U' ');
  pad_specials();
  if (contains(U'.') || text_.find(kDotMulti) != std::u32string::npos) mark_dot_runs();
  if (contains(U',')) space_commas();
  unify_quotes();
  unify_dashes();
  if (contains(U'\'')) space_apostrophes();
  split_final_dots();
  if (text_.find(kDotMulti) != std::u32string::npos) restore_dot_runs();
  collapse_spaces();
  lower_case(text_, lowered_);
  // Trimmed as Java trims: a control character that ends the line goes with the spaces around it.
  std::string_view trimmed = java_trim(lowered_);
  size_t begin = static_cast<size_t>(trimmed.data() - lowered_.data());
  lowered_.resize(begin + trimmed.size());
  lowered_.erase(0, begin);
}

void Normalizer::take_next() {
  text_.swap(next_);
  next_.clear();
}

// before mark after -> before replacement after. Both neighbours are consumed by a match, as a
// regular expression with two groups consumes them.
template <typename Before, typename After>
void Normalizer::replace_between(Before before,
                                 char32_t mark,
                                 After after,
                                 std::u32string_view replacement) {
  next_.clear();
  size_t at = 0;
  while (at < text_.size()) {
    if (at + 2 < text_.size() && text_[at + 1] == mark && before(text_[at]) &&
        after(text_[at + 2])) {
      next_.push_back(text_[at]);
      next_ += replacement;
      next_.push_back(text_[at + 2]);
      at += 3;
    } else {
      next_.push_back(text_[at++]);
    }
  }
  take_next();
}

void Normalizer::replace_all(std::u32string_view what, std::u32string_view replacement) {
  size_t found = text_.find(what);
  if (found == std::u32string::npos) return;
  next_.clear();
  size_t at = 0;
  for (; found != std::u32string::npos; found = text_.find(what, at)) {
    next_.append(text_, at, found - at);
    next_ += replacement;
    at = found + what.size();
  }
  next_.append(text_, at);
  take_next();
}

void Normalizer::pad_specials() {
  next_.clear();
  for (char32_t c : text_) {
    if (is_alphanumeric(c) || is_space(c) || has_own_rule(c)) {
      next_.push_back(c);
    } else {
      next_.push_back(U' ');
      next_.push_back(c);
      next_.push_back(U' ');
    }
  }
  take_next();
}

// A run of k dots becomes k-1 times DOT and DOTMULTI, a word of letters to the passes that follow.
// The original loops until no "DOTMULTI." is left; runs of three and more cannot meet a user's own
// DOTMULTI in its first round, so they are written at once and one round does the rest.
void Normalizer::mark_dot_runs() {
  next_.clear();
  for (size_t at = 0; at < text_.size();) {
    size_t end = at;
    while (end < text_.size() && text_[end] == U'.') ++end;
    size_t run = end - at;
    if (run < 2) {
      next_.push_back(text_[at++]);
      continue;
    }
    next_.push_back(U' ');
    if (run > 2) {
      for (size_t i = 1; i < run; ++i) next_ += kDot;
    }
    next_ += kDotMulti;
    next_.push_back(run == 2 ? U'.' : U' ');
    at = end;
  }
  take_next();
  close_dot_runs();
}

// The original's round: a marker before one single dot takes it in and is set apart; the markers
// left, whose neighbour another match consumed, take it in and stay where they are.
void Normalizer::close_dot_runs() {
  constexpr std::u32string_view kOpen = U"DOTMULTI.";
  size_t at = 0;
  for (size_t found = text_.find(kOpen); found != std::u32string::npos;
       found = text_.find(kOpen, at)) {
    size_t after = found + kOpen.size();
    next_.append(text_, at, found - at);
    if (after < text_.size() && text_[after] != U'.') {
      next_ += U"DOTDOTMULTI ";
      next_.push_back(text_[after]);
      at = after + 1;
    } else {
      next_ += kOpen;
      at = after;
    }
  }
  next_.append(text_, at);
  take_next();
  replace_all(kOpen, U"DOTDOTMULTI");
}

void Normalizer::space_commas() {
  auto not_digit = [](char32_t c) { return !is_digit(c); };
  replace_between(not_digit, U',', not_digit, U" , ");
  replace_between(is_digit, U',', not_digit, U" , ");
  replace_between(not_digit, U',', is_digit, U" , ");
}

void Normalizer::unify_quotes() {
  for (char32_t& c : text_) {
    if (c == '`' || c == 0x2018 || c == 0x2019) c = '\'';
  }
  replace_all(U"\u201C", U" \" ");
  replace_all(U"\u201D", U" \" ");
  replace_all(U"''", U" \" ");
}

void Normalizer::unify_dashes() {
  for (char32_t& c : text_) {
    if (c == 0x2013) c = '-';
  }
  if (!contains(U'-')) return;
  replace_all(U"--", U"-");
  auto joins = [](char32_t c) { return is_alphanumeric(c) || c == '.'; };
  replace_between(joins, U'-', is_alphanumeric, U" ");
}

void Normalizer::space_apostrophes() {
  auto not_letter = [](char32_t c) { return !is_letter(c); };
  replace_between(not_letter, U'\'', not_letter, U" ' ");
  replace_between([](char32_t c) { return !is_alphanumeric(c); }, U'\'', is_letter, U" ' ");
  replace_between(is_letter, U'\'', not_letter, U" ' ");
  replace_between(is_letter, U'\'', is_letter, U" '");
  replace_between(
      is_digit, U'\'', [](char32_t c) { return c == 's'; }, U" '");
}

void Normalizer::split_final_dots() {
  next_.clear();
  std::u32string_view line = text_;
  for (size_t at = 0;;) {
    std::u32string_view word = next_word(line, at);
    if (word.empty()) break;
    at = static_cast<size_t>(word.data() - line.data()) + word.size();
    if (word.size() == 1 || word.back() != U'.') {
      next_ += word;
    } else {
      switch (final_dot_of(word, next_word(line, at))) {
        case FinalDot::kKeep:
          next_ += word;
          break;
        case FinalDot::kDetach:
          next_.append(word, 0, word.size() - 1).append(U" .");
          break;
        case FinalDot::kDropAllDots:
          std::copy_if(word.begin(), word.end(), std::back_inserter(next_), [](char32_t c) {
            return c != '.';
          });
          break;
      }
    }
    next_.push_back(U' ');
  }
  take_next();
}

// Each DOTMULTI with the DOTs right before it becomes as many dots again.
void Normalizer::restore_dot_runs() {
  next_.clear();
  size_t at = 0;
  for (size_t found; (found = text_.find(kDotMulti, at)) != std::u32string::npos;) {
    size_t begin = found;
    while (begin >= at + kDot.size() &&
           text_.compare(begin - kDot.size(), kDot.size(), kDot) == 0) {
      begin -= kDot.size();
    }
    next_.append(text_, at, begin - at);
    next_.append((found - begin) / kDot.size() + 1, U'.');
    at = found + kDotMulti.size();
  }
  next_.append(text_, at);
  take_next();
}

void Normalizer::collapse_spaces() {
  next_.clear();
  for (char32_t c : text_) {
    bool wide = is_wide_space(c);
    if (wide && !next_.empty() && next_.back() == U' ') continue;
    next_.push_back(wide ? U' ' : c);
  }
  take_next();
}

}  // namespace snellen::text::meteor
