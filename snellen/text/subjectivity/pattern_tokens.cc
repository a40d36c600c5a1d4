// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/subjectivity/pattern_tokens.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "snellen/text/characters.h"

namespace snellen::text {
namespace {

constexpr std::string_view kPunctuation = ".,;:!?()[]{}`''\"@#$^&*+-|=~_";
constexpr std::string_view kEndOfParagraph = "END-OF-SENTENCE";

// In the order in which the reference replaces them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kContractions = {{
    {"'d", " 'd"},
    {"'m", " 'm"},
    {"'s", " 's"},
    {"'ll", " 'll"},
    {"'re", " 're"},
    {"'ve", " 've"},
    {"n't", " n't"},
}};
constexpr std::array<std::string_view, 6> kQuotes = {"“", "”", "‘", "’", "'", "\""};

constexpr std::array<std::string_view, 37> kAbbreviations = {
    "a.",    "adj.",  "adv.", "al.",  "a.m.", "c.",  "cf.",  "comp.", "conf.", "def.",
    "ed.",   "e.g.",  "esp.", "etc.", "ex.",  "f.",  "fig.", "gen.",  "id.",   "i.e.",
    "int.",  "l.",    "m.",   "Med.", "Mil.", "Mr.", "n.",   "n.q.",  "orig.", "pl.",
    "pred.", "pres.", "p.m.", "ref.", "v.",   "vs.", "w/"};

constexpr std::array<std::string_view, 75> kEmoticons = {
    "<3",  "♥",   ">:D", ":-D",  ":D",  "=-D", "=D",  "X-D", "x-D", "XD",   "xD",  "8-D", ">:P",
    ":-P", ":P",  ":-p", ":p",   ":-b", ":b",  ":c)", ":o)", ":^)", ">:)",  ":-)", ":)",  "=)",
    "=]",  ":]",  ":}",  ":>",   ":3",  "8)",  "8-)", ">;]", ";-)", ";)",   ";-]", ";]",  ";D",
    ";^)", "*-)", "*)",  ">:o",  ":-O", ":O",  ":o",  ":-o", "o_O", "o.O",  "°O°", "°o°", ">:/",
    ":-/", ":/",  ":\\", ">:\\", ":-.", ":-s", ":s",  ":S",  ":-S", ">.>",  ">:[", ":-(", ":(",
    "=(",  ":-[", ":[",  ":{",   ":-<", ":c",  ":-c", "=/",  ":'(", ":'''("};
constexpr std::string_view kLastEmoticon = ";'(";

template <typename List>
bool is_one_of(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string replaced(const std::string& text, std::string_view from, std::string_view to) {
  std::string out;
  size_t at = 0;
  for (size_t hit = text.find(from); hit != std::string::npos; hit = text.find(from, at)) {
    out.append(text, at, hit - at);
    out += to;
    at = hit + from.size();
  }
  return out.append(text, at);
}

bool is_mark(char c) {
  return c != '.' && kPunctuation.find(c) != std::string_view::npos;
}

bool is_contraction(std::string_view word) {
  return std::any_of(kContractions.begin(), kContractions.end(), [&](const auto& one) {
    return one.first == word;
  });
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A word that ends with a full stop which belongs to it.
bool is_abbreviation(std::string_view word) {
  if (is_one_of(kAbbreviations, word)) return true;
  // "T.", "U.S."
  bool is_lettered = word.size() % 2 == 0;
  for (size_t i = 0; is_lettered && i < word.size(); i += 2)
    is_lettered = is_letter(word[i]) && word[i + 1] == '.';
  if (is_lettered) return true;
  // A capital and consonants: "Mr."
  constexpr std::string_view kConsonants = "bcdfghjklmnpqrstvwxz|";
  return word.size() >= 3 && word[0] >= 'A' && word[0] <= 'Z' &&
         word.substr(1, word.size() - 2).find_first_not_of(kConsonants) == std::string_view::npos;
}

// One piece between blanks, its punctuation split off.
void split_piece(std::string_view piece, std::vector<std::string>& tokens) {
  while (!piece.empty() && is_mark(piece.front()) && !is_contraction(piece)) {
    tokens.emplace_back(piece.substr(0, 1));
    piece.remove_prefix(1);
  }
  std::vector<std::string> tail;
  while (!piece.empty() && (is_mark(piece.back()) || piece.back() == '.') &&
         !is_contraction(piece)) {
    if (is_mark(piece.back())) {
      tail.emplace_back(piece.substr(piece.size() - 1));
      piece.remove_suffix(1);
    }
    if (piece.ends_with("...")) {
      tail.emplace_back("...");
      while (piece.ends_with('.')) piece.remove_suffix(1);
    }
    if (piece.ends_with('.')) {
      if (is_abbreviation(piece)) break;
      tail.emplace_back(".");
      piece.remove_suffix(1);
    }
  }
  if (!piece.empty()) tokens.emplace_back(piece);
  tokens.insert(tokens.end(), tail.rbegin(), tail.rend());
}

std::vector<std::string> split_text(std::string_view given) {
  std::string text(given);
  for (const auto& [from, to] : kContractions) text = replaced(text, from, to);
  for (const std::string_view quote : kQuotes)
    text = replaced(text, quote, fmt::format(" {} ", quote));
  text = replaced(text, "\r\n", "\n");
  std::string marked;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_not_of('\n', at), text.size());
    if (end - at >= 2) {
      marked += fmt::format(" {} ", kEndOfParagraph);
      at = end;
    } else {
      marked += text[at++];
    }
  }
  std::vector<std::string> tokens;
  for_each_word(marked, [&](std::string_view piece) { split_piece(piece, tokens); });
  return tokens;
}

// Sentences, each a text of tokens with blanks between them.
std::vector<std::string> joined_sentences(const std::vector<std::string>& tokens) {
  static const std::set<std::string_view> ends = {"...", ".", "!", "?", kEndOfParagraph};
  static const std::set<std::string_view> followers = {
      "'", "\"", "”", "’", "...", ".", "!", "?", ")", kEndOfParagraph};
  std::vector<std::vector<std::string_view>> sentences(1);
  size_t begin = 0;
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (!ends.contains(tokens[at])) continue;
    while (at < tokens.size() && followers.contains(tokens[at])) {
      const std::string& token = tokens[at];
      const bool is_quote = token == "'" || token == "\"";
      const auto& last = sentences.back();
      if (is_quote && std::count(last.begin(), last.end(), token) % 2 == 0) break;
      ++at;
    }
    for (; begin < at; ++begin) {
      if (tokens[begin] != kEndOfParagraph) sentences.back().push_back(tokens[begin]);
    }
    sentences.emplace_back();
  }
  for (; begin < tokens.size(); ++begin) sentences.back().push_back(tokens[begin]);
  std::vector<std::string> texts;
  for (const auto& sentence : sentences) {
    if (sentence.empty()) continue;
    std::string& text = texts.emplace_back();
    for (const std::string_view token : sentence) (text += text.empty() ? "" : " ") += token;
  }
  return texts;
}

// Where an emoticon that begins at `at`, with blanks between its characters or not, ends; `at`
// where there is none. A blank or the end must follow.
size_t end_of_emoticon(std::string_view text, size_t at, std::string_view emoticon) {
  size_t place = at;
  for (size_t i = 0; i < emoticon.size();) {
    if (i > 0 && place < text.size() && text[place] == ' ') ++place;
    const size_t size = decode_at(emoticon, i).size;
    if (text.substr(place, size) != emoticon.substr(i, size)) return at;
    place += size;
    i += size;
  }
  const bool ends = place == text.size() || leading_space(text.substr(place)) > 0;
  return ends ? place : at;
}

std::string with_emoticons_joined(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = end_of_emoticon(text, at, kLastEmoticon);
    for (const std::string_view emoticon : kEmoticons)
      end = std::max(end, end_of_emoticon(text, at, emoticon));
    if (end == at) {
      out += text[at++];
      continue;
    }
    for (; at < end; ++at) {
      if (text[at] != ' ') out += text[at];
    }
    if (at < text.size()) out += text[at++];  // the blank behind it
  }
  return out;
}

// "( ! )" with or without blanks.
std::string with_irony_joined(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    auto take = [&](char wanted, bool may_skip) {
      if (may_skip && end < text.size() && text[end] == ' ') ++end;
      if (end >= text.size() || text[end] != wanted) return false;
      ++end;
      return true;
    };
    if (take('(', false) && take('!', true) && take(')', true)) {
      out += "(!)";
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> pattern_words(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string& sentence : joined_sentences(split_text(text))) {
    for_each_word(with_emoticons_joined(with_irony_joined(sentence)),
                  [&](std::string_view word) { words.push_back(lower(word)); });
  }
  return words;
}

bool is_emoticon(std::string_view word) {
  static const std::set<std::string, std::less<>> known = [] {
    std::set<std::string, std::less<>> set = {lower(kLastEmoticon)};
    for (const std::string_view emoticon : kEmoticons) set.insert(lower(emoticon));
    set.erase("xd");  // letters alone are a word
    std::erase_if(set, [](const std::string& one) {
      return kPunctuation.find(one) != std::string_view::npos;
    });
    return set;
  }();
  return known.contains(word);
}

}  // namespace snellen::text
