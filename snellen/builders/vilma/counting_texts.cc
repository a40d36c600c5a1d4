// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/counting_texts.h"

#include <fmt/format.h>

#include "snellen/text/words/number_words.h"

namespace snellen::builders::vilma {
namespace {

constexpr std::string_view kNumber = "<number>";

// In this order: a longer phrase holds a shorter one.
constexpr std::string_view kCountPhrases[] = {" with exactly <number> moves",
                                              " in exactly <number> moves",
                                              " exactly <number> times",
                                              " exactly <number>",
                                              " <number> times in total"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

std::string singular_of(std::string_view noun) {
  std::string stem(noun.substr(0, noun.size() - 1));
  if (noun.size() > 4 && noun.ends_with("ies")) return stem.substr(0, stem.size() - 2) + "y";
  for (const std::string_view ending : {"sse", "che", "she", "xe", "zze"}) {
    if (stem.ends_with(ending)) return stem.substr(0, stem.size() - 1);
  }
  return stem;
}

}  // namespace

std::string without_count(std::string_view sentence_template) {
  std::string text(sentence_template);
  for (const std::string_view phrase : kCountPhrases) text = replaced(std::move(text), phrase, "");
  return text;
}

std::string with_count(std::string_view sentence_template,
                       std::string_view singular_template,
                       uint64_t count,
                       CountStyle style) {
  const std::string digits = fmt::to_string(count);
  return replaced(std::string(count == 1 ? singular_template : sentence_template),
                  kNumber,
                  style == CountStyle::kDigits ? digits : text::number_words(digits));
}

std::string singular_template(std::string_view sentence_template) {
  std::string text(sentence_template);
  const size_t number = text.find(kNumber);
  if (number == std::string::npos) return text;
  for (size_t at = number + kNumber.size(); at < text.size();) {
    if (!is_letter(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    if (word.size() > 2 && word.ends_with('s') && !word.ends_with("ss"))
      return text.replace(at, word.size(), singular_of(word));
    at = end;
  }
  return text;
}

}  // namespace snellen::builders::vilma
