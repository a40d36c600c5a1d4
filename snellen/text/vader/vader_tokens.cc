// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vader/vader_tokens.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/text/unicode_case.h"

namespace snellen::text {
namespace {

enum : uint8_t { kSpace = 1, kPunctuation = 2, kApostrophe = 4, kHigh = 8 };

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    bool is_alnum = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F)) classes[c] = kSpace;
    if (c > ' ' && c < 0x7F && !is_alnum) classes[c] = kPunctuation;
    if (c == '\'') classes[c] = kPunctuation | kApostrophe;
    if (c >= 0x80) classes[c] = kHigh;
  }
  return classes;
}();

uint8_t class_of(char c) {
  return kClasses[static_cast<unsigned char>(c)];
}

bool is_ascii(std::string_view text) {
  unsigned char seen = 0;
  for (char c : text) seen = static_cast<unsigned char>(seen | static_cast<unsigned char>(c));
  return seen < 0x80;
}

constexpr uint64_t every_byte(uint64_t byte) {
  return byte * 0x0101010101010101ULL;
}

// The high bit of each ASCII byte of `word` that lies in [low, high].
uint64_t bytes_between(uint64_t word, uint8_t low, uint8_t high) {
  uint64_t from_low = word + every_byte(0x80U - low);
  uint64_t above_high = word + every_byte(0x7FU - high);
  return (from_low ^ above_high) & every_byte(0x80);
}

// Up to eight bytes at `at`, zero-padded. Reads a whole machine word where the text has one.
uint64_t load_word(std::string_view text, size_t at, size_t length) {
  uint64_t word = 0;
  if (at + 8 <= text.size()) {
    std::memcpy(&word, text.data() + at, 8);
    return length >= 8 ? word : word & ((uint64_t{1} << 8 * length) - 1);
  }
  std::memcpy(&word, text.data() + at, std::min<size_t>(length, 8));
  return word;
}

// The token of `length` bytes at `start` of `text`.
VaderToken short_ascii_token(std::string_view text,
                             size_t start,
                             size_t length,
                             bool has_apostrophe,
                             const VaderWords& words) {
  VaderWords::ShortKey key{};
  uint64_t upper = 0;
  uint64_t lower = 0;
  for (size_t i = 0; 8 * i < length; ++i) {
    uint64_t word = load_word(text, start + 8 * i, length - 8 * i);
    uint64_t capitals = bytes_between(word, 'A', 'Z');
    upper |= capitals;
    lower |= bytes_between(word, 'a', 'z');
    key[i] = word | capitals >> 2;  // 0x80 -> 0x20, the case bit
  }
  const VaderWord& word = words.find(key, length);
  bool is_negation = word.is_negation;
  if (has_apostrophe && !is_negation) {
    std::string_view lowercase(reinterpret_cast<const char*>(key.data()), length);
    is_negation = lowercase.find("n't") != std::string_view::npos;
  }
  return {&word, upper != 0 && lower == 0, is_negation};
}

VaderToken any_token(std::string_view token, const VaderWords& words, std::string& scratch) {
  lower_into(token, scratch);
  const VaderWord& word = words.find(scratch);
  bool is_negation = word.is_negation || scratch.find("n't") != std::string::npos;
  return {&word, is_upper(token), is_negation};
}

// The end of the token that starts at `start`, and what classes of bytes it holds.
size_t scan_token(std::string_view text, size_t start, uint8_t& seen) {
  size_t at = start;
  while (at < text.size()) {
    uint8_t kind = class_of(text[at]);
    if ((kind & (kSpace | kHigh)) == 0) {
      seen |= kind;
      ++at;
      continue;
    }
    if (kind == kSpace) break;
    DecodedPoint point = code_point_at(text, at);
    if (is_white_space(point.value)) break;
    seen |= kHigh;
    at += point.length;
  }
  return at;
}

// Without punctuation at both ends, unless two or fewer characters would be left.
std::string_view stripped(std::string_view token, bool has_high) {
  std::string_view inner = token;
  while (!inner.empty() && (class_of(inner.front()) & kPunctuation) != 0) inner.remove_prefix(1);
  while (!inner.empty() && (class_of(inner.back()) & kPunctuation) != 0) inner.remove_suffix(1);
  // Two characters take eight bytes at most.
  bool is_short = has_high ? inner.size() <= 8 && num_characters(inner) <= 2 : inner.size() <= 2;
  return is_short ? token : inner;
}

}  // namespace

EmojiTable::EmojiTable(std::string_view table, std::string_view source) {
  size_t line_number = 0;
  for (size_t at = 0; at < table.size();) {
    size_t end = std::min(table.find('\n', at), table.size());
    std::string_view line = trimmed(table.substr(at, end - at));
    at = end + 1;
    ++line_number;
    if (line.empty()) continue;
    size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0) {
      throw Error{ErrorCode::kInvalidInput,
                  "line is not an emoji, a tab and a description",
                  fmt::format("{}: line {}", source, line_number),
                  "give the emoji_utf8_lexicon.txt of the vaderSentiment package"};
    }
    DecodedPoint point = code_point_at(line, 0);
    if (point.length != tab) continue;
    std::string_view description = line.substr(tab + 1);
    descriptions_[point.value] = std::string(description.substr(0, description.find('\t')));
    has_ascii_key_ = has_ascii_key_ || point.value < 0x80;
  }
}

std::optional<std::string> EmojiTable::replaced(std::string_view text) const {
  if (descriptions_.empty() || (!has_ascii_key_ && is_ascii(text))) return std::nullopt;
  std::string out;
  size_t copied = 0;  // text before this offset is in `out`
  bool has_any = false;
  bool is_after_space = true;
  for (size_t at = 0; at < text.size();) {
    DecodedPoint point = code_point_at(text, at);
    auto found = point.value < 0x80 && !has_ascii_key_ ? descriptions_.end()
                                                       : descriptions_.find(point.value);
    if (found != descriptions_.end()) {
      has_any = true;
      out.append(text.substr(copied, at - copied));
      if (!is_after_space) out.push_back(' ');
      out.append(found->second);
      copied = at + point.length;
    }
    is_after_space = found == descriptions_.end() && point.value == ' ';
    at += point.length;
  }
  if (!has_any) return std::nullopt;
  out.append(text.substr(copied));
  return out;
}

void tokenize_for_vader(std::string_view text, const VaderWords& words, VaderTokens& tokens) {
  std::string scratch;
  for (size_t at = 0; at < text.size();) {
    uint8_t kind = class_of(text[at]);
    if (kind == kSpace) {
      ++at;
      continue;
    }
    if (kind == kHigh) {
      DecodedPoint point = code_point_at(text, at);
      if (is_white_space(point.value)) {
        at += point.length;
        continue;
      }
    }
    uint8_t seen = 0;
    size_t end = scan_token(text, at, seen);
    std::string_view token = text.substr(at, end - at);
    at = end;
    bool has_high = (seen & kHigh) != 0;
    if ((seen & kPunctuation) != 0) token = stripped(token, has_high);
    bool is_short_ascii = !has_high && token.size() <= VaderWords::kShortKey;
    if (is_short_ascii) {
      auto start = static_cast<size_t>(token.data() - text.data());
      bool has_apostrophe = (seen & kApostrophe) != 0;
      tokens.push_back(short_ascii_token(text, start, token.size(), has_apostrophe, words));
    } else {
      tokens.push_back(any_token(token, words, scratch));
    }
  }
}

}  // namespace snellen::text
