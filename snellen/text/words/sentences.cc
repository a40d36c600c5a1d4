// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/sentences.h"

#include <algorithm>
#include <array>
#include <string>

#include <unicode/uchar.h>

#include "snellen/text/characters.h"

namespace snellen::text {
namespace {

constexpr std::array<std::string_view, 17> kAbbreviations = {"mr",
                                                             "mrs",
                                                             "ms",
                                                             "dr",
                                                             "st",
                                                             "vs",
                                                             "jr",
                                                             "sr",
                                                             "prof",
                                                             "inc",
                                                             "co",
                                                             "corp",
                                                             "fig",
                                                             "p.m",
                                                             "a.m",
                                                             "e.g",
                                                             "i.e"};

bool is_end_mark(char c) {
  return c == '.' || c == '?' || c == '!';
}

bool is_closing(char32_t c) {
  return c == '"' || c == '\'' || c == ')' || c == ']' || c == '}' || c == '>' || c == 0xBB ||
         c == 0x201D || c == 0x2019;
}

bool is_opening(char32_t c) {
  return c == '"' || c == '\'' || c == '(' || c == '[' || c == '{' || c == '<' || c == '`' ||
         c == 0xAB || c == 0x201C || c == 0x2018 || c == 0x201E;
}

// The word that ends at `end`, without quotes or brackets before it.
std::string_view word_before(std::string_view text, size_t end) {
  size_t begin = end;
  while (begin > 0) {
    CodePoint c = decode_before(text, begin);
    if (is_space(c.value)) break;
    begin -= c.size;
  }
  while (begin < end) {
    CodePoint c = decode_at(text, begin);
    if (!is_opening(c.value)) break;
    begin += c.size;
  }
  return text.substr(begin, end - begin);
}

bool is_abbreviation(std::string_view word) {
  if (word.empty()) return false;
  CodePoint first = decode_at(word, 0);
  if (first.size == word.size() && is_word(first.value) && !is_digit(first.value) &&
      first.value != '_')
    return true;
  if (word.find('.') != std::string_view::npos) return true;
  // The listed words are short; a long one need not be lower-cased to be compared.
  if (word.size() > 8) return false;
  std::string plain = lower(word);
  return std::find(kAbbreviations.begin(), kAbbreviations.end(), plain) != kAbbreviations.end();
}

struct Run {
  size_t begin;
  size_t end;     // after the marks
  size_t closed;  // after closing quotes and brackets
};

// Whether the sentence ends with `run`; `next` is where the text goes on after white space.
bool is_cut(std::string_view text, const Run& run, size_t next) {
  std::string_view marks = text.substr(run.begin, run.end - run.begin);
  if (marks == ".") return !is_abbreviation(word_before(text, run.begin));
  bool is_ellipsis = marks.find_first_not_of('.') == std::string_view::npos;
  return !(is_ellipsis && u_islower(static_cast<UChar32>(decode_at(text, next).value)));
}

}  // namespace

std::vector<std::string_view> split_sentences(std::string_view text) {
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  size_t at = 0;
  while (at < text.size()) {
    if (!is_end_mark(text[at])) {
      ++at;
      continue;
    }
    Run run{at, at, at};
    while (run.end < text.size() && is_end_mark(text[run.end])) ++run.end;
    run.closed = run.end;
    while (run.closed < text.size()) {
      CodePoint c = decode_at(text, run.closed);
      if (!is_closing(c.value)) break;
      run.closed += c.size;
    }
    at = run.closed;
    size_t next = at;
    while (size_t space = leading_space(text.substr(next))) next += space;
    if (next == at || next == text.size()) continue;
    if (is_cut(text, run, next)) {
      sentences.push_back(text.substr(begin, run.closed - begin));
      begin = next;
    }
    at = next;
  }
  if (begin < text.size()) sentences.push_back(text.substr(begin));
  return sentences;
}

}  // namespace snellen::text
