// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/split_pattern.h"

#include "snellen/text/tokenizers/unicode_classes.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

enum class Class { kLetter, kNumber, kSpace, kOther };

Class class_of(char32_t c) {
  if (is_regex_letter(c)) return Class::kLetter;
  if (is_regex_space(c)) return Class::kSpace;
  return is_regex_number(c) ? Class::kNumber : Class::kOther;
}

Class python_class_of(char32_t c) {
  if (is_python_letter(c)) return Class::kLetter;
  // Ignoring case, U+0345 is a form of the letter iota and yet no letter: nothing matches it.
  if (is_regex_space(c) || c == 0x345) return Class::kSpace;
  return is_python_number(c) ? Class::kNumber : Class::kOther;
}

using Classify = Class (*)(char32_t);

size_t end_of_run(std::string_view text, size_t at, Class wanted, Classify classify = class_of) {
  while (at < text.size()) {
    CodePoint c = decode_at(text, at);
    if (classify(c.value) != wanted) break;
    at += c.size;
  }
  return at;
}

size_t match_clip(std::string_view text, size_t at, Classify classify) {
  if (size_t size = contraction_at(text, at)) return size;
  CodePoint c = decode_at(text, at);
  Class first = classify(c.value);
  if (first == Class::kSpace) return 0;
  return first == Class::kNumber ? c.size : end_of_run(text, at, first, classify) - at;
}

size_t match_gpt2(std::string_view text, size_t at) {
  if (size_t size = contraction_at(text, at)) return size;
  size_t begin = text[at] == ' ' ? at + 1 : at;
  if (begin < text.size()) {
    Class first = class_of(decode_at(text, begin).value);
    if (first != Class::kSpace) return end_of_run(text, begin, first) - at;
  }
  // \s+(?!\S): all of the run at the end of the text, else all but its last character, which stays
  // for the next word; \s+ takes a run of one.
  size_t end = end_of_run(text, at, Class::kSpace);
  size_t last = decode_before(text, end).size;
  return end == text.size() || end - last == at ? end - at : end - last - at;
}

}  // namespace

std::optional<SplitPattern> split_pattern_of(std::string_view regex) {
  constexpr std::string_view kClip = R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)";
  constexpr std::string_view kMarks = R"(<\|startoftext\|>|<\|endoftext\|>|)";
  constexpr std::string_view kGpt2 =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  if (regex == kClip) return SplitPattern::kClip;
  if (regex == kGpt2) return SplitPattern::kGpt2;
  if (regex.starts_with(kMarks) && regex.substr(kMarks.size()) == kClip)
    return SplitPattern::kClipWithMarks;
  return std::nullopt;
}

size_t contraction_at(std::string_view text, size_t at) {
  std::string_view rest = text.substr(at);
  if (rest.size() < 2 || rest[0] != '\'') return 0;
  switch (rest[1]) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return 2;
    case 'r':
    case 'v':
      return rest.size() > 2 && rest[2] == 'e' ? 3 : 0;
    case 'l':
      return rest.size() > 2 && rest[2] == 'l' ? 3 : 0;
    default:
      return 0;
  }
}

size_t match_at(SplitPattern pattern, std::string_view text, size_t at) {
  switch (pattern) {
    case SplitPattern::kGpt2:
      return match_gpt2(text, at);
    case SplitPattern::kClipWithMarks:
      for (std::string_view mark : {"<|startoftext|>", "<|endoftext|>"})
        if (text.substr(at).starts_with(mark)) return mark.size();
      break;
    case SplitPattern::kOpenClip:
      return match_clip(text, at, python_class_of);
    case SplitPattern::kClip:
      break;
  }
  return match_clip(text, at, class_of);
}

}  // namespace snellen::text
