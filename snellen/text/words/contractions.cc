// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/contractions.h"

#include <array>

#include "snellen/text/characters.h"

namespace snellen::text {
namespace {

struct Pair {
  std::string_view first;
  std::string_view second;
};

constexpr std::array<Pair, 6> kPairs = {
    {{"can", "not"}, {"d", "'ye"}, {"gim", "me"}, {"gon", "na"}, {"got", "ta"}, {"lem", "me"}}};
constexpr Pair kWanna = {"wan", "na"};

Pair more_than(Treebank version) {
  return {version == Treebank::kNltk34 ? "mor" : "more", "'n"};
}

// Bytes of text at `at` that equal `pattern` ignoring case, 0 when it does not.
size_t match_folded(std::string_view text, size_t at, std::string_view pattern) {
  size_t begin = at;
  for (char wanted : pattern) {
    if (at >= text.size()) return 0;
    CodePoint c = decode_at(text, at);
    if (fold_to_ascii(c.value) != static_cast<char32_t>(wanted)) return 0;
    at += c.size;
  }
  return at - begin;
}

bool is_word_at(std::string_view text, size_t at) {
  return at < text.size() && is_word(decode_at(text, at).value);
}

struct Match {
  size_t first = 0;   // bytes of the first part, 0: no match
  size_t second = 0;  // bytes of the second part
  size_t after = 0;   // bytes of the white space that wan|na swallows in the older release
};

// `gap` is the text between the parts: nothing when splitting, a space when joining.
Match match_pair(std::string_view text, size_t at, const Pair& pair, std::string_view gap) {
  Match match;
  match.first = match_folded(text, at, pair.first);
  if (match.first == 0) return {};
  size_t second_at = at + match.first + gap.size();
  if (!has_at(text, at + match.first, gap)) return {};
  match.second = match_folded(text, second_at, pair.second);
  if (match.second == 0) return {};
  return match;
}

Match match_any(std::string_view text, size_t at, Treebank version, std::string_view gap) {
  char32_t first = fold_to_ascii(static_cast<unsigned char>(text[at]));
  if (first != 'c' && first != 'd' && first != 'g' && first != 'l' && first != 'm' && first != 'w')
    return {};
  if (at > 0 && is_word(decode_before(text, at).value)) return {};
  auto end_of = [&](const Match& match) { return at + match.first + gap.size() + match.second; };
  // The parts share no word, so at most one pair fits and the order of the rules does not matter.
  for (const Pair& pair : kPairs) {
    Match match = match_pair(text, at, pair, gap);
    if (match.first != 0 && !is_word_at(text, end_of(match))) return match;
  }
  Match more = match_pair(text, at, more_than(version), gap);
  if (more.first != 0 && !is_word_at(text, end_of(more))) return more;
  Match wanna = match_pair(text, at, kWanna, gap);
  if (wanna.first == 0) return {};
  size_t space = end_of(wanna) < text.size() ? leading_space(text.substr(end_of(wanna))) : 0;
  if (space == 0) return {};
  wanna.after = version == Treebank::kNltk34 ? space : 0;
  return wanna;
}

constexpr std::array<std::string_view, 2> kTis = {"is", "was"};

// A literal space, 't, the gap, and `verb` up to a word boundary.
Match match_tis(std::string_view text, size_t at, std::string_view verb, std::string_view gap) {
  if (text[at] != ' ') return {};
  Match match = match_pair(text, at + 1, {"'t", verb}, gap);
  if (match.first == 0 || is_word_at(text, at + 1 + match.first + gap.size() + match.second))
    return {};
  return match;
}

void append_parts(std::string& out,
                  std::string_view text,
                  size_t at,
                  const Match& match,
                  size_t gap,
                  bool split) {
  if (split) out += ' ';
  out += text.substr(at, match.first);
  if (split) out += ' ';
  out += text.substr(at + match.first + gap, match.second);
  if (split) out += ' ';
}

bool is_either(std::string_view text,
               size_t at,
               std::string_view lower_form,
               std::string_view upper_form) {
  return has_at(text, at, lower_form) || has_at(text, at, upper_form);
}

}  // namespace

void split_contractions(Rewriter& rewriter, Treebank version) {
  rewriter.replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    Match match = match_any(text, at, version, "");
    if (match.first == 0) return 0;
    append_parts(out, text, at, match, 0, /*split=*/true);
    return match.first + match.second + match.after;
  });
}

void join_contractions(Rewriter& rewriter, Treebank version) {
  rewriter.replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    Match match = match_any(text, at, version, " ");
    if (match.first == 0) return 0;
    append_parts(out, text, at, match, 1, /*split=*/false);
    return match.first + 1 + match.second + match.after;
  });
}

void split_tis(Rewriter& rewriter) {
  if (!rewriter.may_have('\'')) return;
  for (std::string_view verb : kTis) {
    rewriter.replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
      Match match = match_tis(text, at, verb, "");
      if (match.first == 0) return 0;
      append_parts(out, text, at + 1, match, 0, /*split=*/true);
      return 1 + match.first + match.second;
    });
  }
}

void join_tis(Rewriter& rewriter) {
  if (!rewriter.may_have('\'')) return;
  for (std::string_view verb : kTis) {
    rewriter.replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
      Match match = match_tis(text, at, verb, " ");
      if (match.first == 0) return 0;
      append_parts(out, text, at + 1, match, 1, /*split=*/false);
      return 1 + match.first + 1 + match.second;
    });
  }
}

size_t short_clitic(std::string_view text, size_t at) {
  if (at + 1 >= text.size() || text[at] != '\'') return 0;
  if (text[at + 1] == ' ') return 1;
  return is_one_of(text[at + 1], "sSmMdD") && has_at(text, at + 2, " ") ? 2 : 0;
}

size_t long_clitic(std::string_view text, size_t at) {
  bool fits = is_either(text, at, "'ll ", "'LL ") || is_either(text, at, "'re ", "'RE ") ||
              is_either(text, at, "'ve ", "'VE ") || is_either(text, at, "n't ", "N'T ");
  return fits ? 3 : 0;
}

}  // namespace snellen::text
