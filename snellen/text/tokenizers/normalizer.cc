// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/normalizer.h"

#include <algorithm>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/unicode_classes.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

constexpr char32_t kCapitalIWithDot = 0x130;

bool is_ascii(std::string_view text) {
  return std::all_of(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Calls take(character, its bytes) for every character.
template <typename Take>
void for_each_character(std::string_view text, Take take) {
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode_at(text, at);
    take(c.value, text.substr(at, c.size));
    at += c.size;
  }
}

const icu::Normalizer2& normalizer_of(NormalForm form, UErrorCode& code) {
  switch (form) {
    case NormalForm::kNfc:
      return *icu::Normalizer2::getNFCInstance(code);
    case NormalForm::kNfd:
      return *icu::Normalizer2::getNFDInstance(code);
    case NormalForm::kNfkc:
      return *icu::Normalizer2::getNFKCInstance(code);
    case NormalForm::kNfkd:
      break;
  }
  return *icu::Normalizer2::getNFKDInstance(code);
}

// Made once, never changed after.
const icu::UnicodeSet& unicode_9() {
  static const icu::UnicodeSet* const set = [] {
    UErrorCode code = U_ZERO_ERROR;
    auto* made = new icu::UnicodeSet(icu::UnicodeString(u"[:age=9.0:]"), code);
    SNELLEN_CHECK(U_SUCCESS(code));
    return static_cast<const icu::UnicodeSet*>(made->freeze());
  }();
  return *set;
}

std::string applied(NormalForm form, std::string text) {
  if (is_ascii(text)) return text;
  UErrorCode code = U_ZERO_ERROR;
  icu::FilteredNormalizer2 filtered(normalizer_of(form, code), unicode_9());
  icu::UnicodeString wide = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  std::string out;
  icu::UnicodeString normalized;
  filtered.normalize(wide, normalized, code).toUTF8String(out);
  SNELLEN_CHECK(U_SUCCESS(code));
  return out;
}

std::string applied(Lowercase, std::string text) {
  if (is_ascii(text)) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return text;
  }
  std::string out;
  for_each_character(text, [&](char32_t c, std::string_view bytes) {
    if (c == kCapitalIWithDot) {
      out += "i\xCC\x87";
      return;
    }
    char32_t lower = lower_of(c);
    if (lower == c) {
      out.append(bytes);
    } else {
      append_utf8(out, lower);
    }
  });
  return out;
}

template <typename Drops>
std::string without(std::string_view text, Drops drops) {
  std::string out;
  for_each_character(text, [&](char32_t c, std::string_view bytes) {
    if (!drops(c)) out.append(bytes);
  });
  return out;
}

std::string applied(StripAccents, const std::string& text) {
  return is_ascii(text) ? text : without(text, is_combining_mark);
}

std::string applied(CollapseSpaces, const std::string& text) {
  std::string out;
  bool was_space = false;
  for_each_character(text, [&](char32_t c, std::string_view bytes) {
    bool is_space = is_regex_space(c);
    if (!is_space) out.append(bytes);
    if (is_space && !was_space) out.push_back(' ');
    was_space = is_space;
  });
  return out;
}

std::string applied(const ReplaceText& step, const std::string& text) {
  std::string out;
  size_t at = 0;
  for (size_t found = 0; (found = text.find(step.from, at)) != std::string::npos;) {
    out.append(text, at, found - at).append(step.to);
    at = found + step.from.size();
  }
  return out.append(text, at);
}

std::string applied(StripSpaces step, const std::string& text) {
  std::string_view rest = text;
  while (step.left && !rest.empty() && is_regex_space(decode_at(rest, 0).value))
    rest.remove_prefix(decode_at(rest, 0).size);
  while (step.right && !rest.empty() && is_regex_space(decode_before(rest, rest.size()).value))
    rest.remove_suffix(decode_before(rest, rest.size()).size);
  return std::string(rest);
}

std::string applied(const PrependText& step, const std::string& text) {
  return text.empty() ? text : step.text + text;
}

std::string applied(const BertClean& step, std::string text) {
  if (step.clean_text || step.handle_chinese_chars) {
    std::string out;
    for_each_character(text, [&](char32_t c, std::string_view bytes) {
      if (step.clean_text && is_bert_cleaned(c)) return;
      if (step.clean_text && is_regex_space(c)) {
        out.push_back(' ');
      } else if (step.handle_chinese_chars && is_bert_chinese(c)) {
        out.append(" ").append(bytes).append(" ");
      } else {
        out.append(bytes);
      }
    });
    text = std::move(out);
  }
  if (step.strip_accents.value_or(step.lowercase) && !is_ascii(text))
    text = without(applied(NormalForm::kNfd, std::move(text)), is_bert_accent);
  return step.lowercase ? applied(Lowercase{}, std::move(text)) : text;
}

}  // namespace

std::string Normalizer::normalize(std::string_view text) const {
  std::string out(text);
  for (const NormalizerStep& step : steps_)
    out = std::visit([&](const auto& kind) { return applied(kind, std::move(out)); }, step);
  return out;
}

}  // namespace snellen::text
