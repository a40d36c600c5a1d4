// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/answers/answer_parser.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/text/answers/answer_parser_letters.h"
#include "snellen/text/answers/answer_parser_phrases.h"
#include "snellen/text/unicode_case.h"

namespace snellen::text {
namespace {

constexpr size_t kMaxOptions = 26;
// An option this short ("No") is a word of many sentences, so it needs more than being contained.
constexpr size_t kShortOption = 3;

struct OptionWords {
  size_t index;
  std::string words;
  size_t num_characters;
};

ParsedAnswer parsed(size_t index, std::string_view rule) {
  return {AnswerStatus::kParsed, index, rule};
}

std::string_view first_word(std::string_view words) {
  return words.substr(0, words.find(' '));
}

// Options with at least one word, longest first, ties by index.
std::vector<OptionWords> options_by_length(const AnswerOptions& options) {
  std::vector<OptionWords> sorted;
  for (size_t i = 0; i < options.texts.size(); ++i) {
    std::string words = answer_words(options.texts[i]);
    size_t length = num_characters(words);
    if (length > 0) sorted.push_back({i, std::move(words), length});
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const OptionWords& a, const OptionWords& b) {
    return a.num_characters > b.num_characters;
  });
  return sorted;
}

std::optional<size_t> exact_option(std::string_view words,
                                   const std::vector<OptionWords>& options) {
  std::optional<size_t> found;
  for (const OptionWords& option : options) {
    if (option.words == words && (!found || option.index < *found)) found = option.index;
  }
  return found;
}

// What follows the option at the start of `words`: without the space, empty at the end.
std::string_view rest_after(std::string_view words, const OptionWords& option) {
  return words.substr(std::min(option.words.size() + 1, words.size()));
}

bool is_ruled_out(std::string_view rest,
                  const OptionWords& option,
                  const std::vector<OptionWords>& options) {
  if (option.num_characters <= kShortOption && is_no_continuation(first_word(rest))) return true;
  std::string_view next = first_word(rest);
  if (next == "or" || next == "and") rest.remove_prefix(std::min(next.size() + 1, rest.size()));
  return std::any_of(options.begin(), options.end(), [&](const OptionWords& other) {
    return other.index != option.index && is_phrase_at(rest, 0, other.words);
  });
}

std::optional<size_t> prefix_option(std::string_view words,
                                    const std::vector<OptionWords>& options) {
  for (const OptionWords& option : options) {
    if (!is_phrase_at(words, 0, option.words)) continue;
    if (!is_ruled_out(rest_after(words, option), option, options)) return option.index;
  }
  return std::nullopt;
}

std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> sentences;
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of(".!?\n"), text.size());
    std::string words = answer_words(text.substr(0, end));
    if (!words.empty()) sentences.push_back(std::move(words));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return sentences;
}

bool opens_or_closes_a_sentence(const OptionWords& option,
                                const std::vector<std::string>& sentences) {
  return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) {
    if (is_phrase_at(sentence, 0, option.words) &&
        !is_no_continuation(first_word(rest_after(sentence, option)))) {
      return true;
    }
    return sentence.size() >= option.words.size() &&
           is_phrase_at(sentence, sentence.size() - option.words.size(), option.words);
  });
}

// Rule 9: every option whose words occur; the phrases of "unknown" first, because they contain "no"
// and the like.
std::vector<size_t> contained_options(std::string_view text,
                                      std::string words,
                                      const std::vector<OptionWords>& options,
                                      std::optional<size_t> unknown) {
  std::vector<size_t> found;
  if (unknown) {
    auto own = std::find_if(options.begin(), options.end(), [&](const OptionWords& option) {
      return option.index == *unknown;
    });
    bool has_hit = false;
    for (std::string_view phrase :
         unknown_phrases(own == options.end() ? std::string_view{} : own->words)) {
      if (remove_phrase(words, phrase)) has_hit = true;
    }
    if (has_hit) found.push_back(*unknown);
  }
  std::vector<std::string> sentences;
  for (const OptionWords& option : options) {
    if (option.index == unknown) continue;
    if (option.num_characters > kShortOption) {
      if (remove_phrase(words, option.words)) found.push_back(option.index);
      continue;
    }
    if (sentences.empty()) sentences = sentences_of(text);
    if (opens_or_closes_a_sentence(option, sentences)) found.push_back(option.index);
  }
  return found;
}

std::optional<ParsedAnswer> one_or_ambiguous(const std::vector<size_t>& found,
                                             std::string_view rule,
                                             std::string_view multi_rule) {
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return parsed(found.front(), rule);
  return ParsedAnswer{AnswerStatus::kAmbiguous, std::nullopt, multi_rule};
}

std::optional<ParsedAnswer> parse_letters(std::string_view text, size_t num_options) {
  if (auto index = boxed_letter(text, num_options)) return parsed(*index, "boxed");
  if (auto index = sole_letter(text, num_options)) return parsed(*index, "sole_letter");
  if (auto index = cued_letter(text, num_options)) return parsed(*index, "cue");
  if (auto index = leading_letter(text, num_options)) return parsed(*index, "leading_letter");
  return one_or_ambiguous(bracketed_letters(text, num_options), "bracketed", "bracketed_multi");
}

ParsedAnswer parse_cleaned(std::string_view text, const AnswerOptions& options) {
  size_t num_options = options.texts.size();
  if (auto answer = parse_letters(text, num_options)) return *answer;
  std::string words = answer_words(text);
  std::vector<OptionWords> by_length = options_by_length(options);
  if (auto index = exact_option(words, by_length)) return parsed(*index, "text_exact");
  if (auto index = prefix_option(words, by_length)) return parsed(*index, "text_prefix");
  if (auto answer = one_or_ambiguous(contained_options(text, words, by_length, options.unknown),
                                     "text_contains",
                                     "text_multi")) {
    return *answer;
  }
  if (auto answer = one_or_ambiguous(
          isolated_letters(text, num_options), "isolated_letter", "isolated_multi")) {
    return *answer;
  }
  for (std::string_view phrase : refusal_phrases()) {
    if (contains_phrase(words, phrase)) return {AnswerStatus::kRefusal, std::nullopt, "refusal"};
  }
  return {AnswerStatus::kUnparsable, std::nullopt, "none"};
}

// Curly quotes become straight, no-break spaces spaces; Markdown's * ` # go.
std::string cleaned(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    DecodedPoint point = code_point_at(text, at);
    switch (point.value) {
      case 0x2018:
      case 0x2019:
        out.push_back('\'');
        break;
      case 0x201C:
      case 0x201D:
        out.push_back('"');
        break;
      case 0xA0:
        out.push_back(' ');
        break;
      case '*':
      case '`':
      case '#':
        break;
      default:
        out.append(text.substr(at, point.length));
    }
    at += point.length;
  }
  return out;
}

}  // namespace

std::string_view name_of(AnswerStatus status) {
  switch (status) {
    case AnswerStatus::kParsed:
      return "parsed";
    case AnswerStatus::kRefusal:
      return "refusal";
    case AnswerStatus::kUnparsable:
      return "unparsable";
    case AnswerStatus::kAmbiguous:
      return "ambiguous";
    case AnswerStatus::kEmpty:
      return "empty";
  }
  return "unparsable";
}

void check_options(const AnswerOptions& options) {
  if (options.texts.empty() || options.texts.size() > kMaxOptions) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format(
            "question has {} options, expected 1 to {}", options.texts.size(), kMaxOptions)};
  }
  if (options.unknown && *options.unknown >= options.texts.size()) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format(
            "unknown_index {} is not one of {} options", *options.unknown, options.texts.size())};
  }
}

std::optional<std::string_view> after_reasoning(std::string_view response) {
  constexpr std::string_view kThinkEnd = "</think>";
  if (size_t end = response.rfind(kThinkEnd); end != std::string_view::npos)
    return response.substr(end + kThinkEnd.size());
  if (trimmed(response).starts_with("<think>")) return std::nullopt;
  return response;
}

ParsedAnswer parse_answer(std::string_view response, const AnswerOptions& options) {
  check_options(options);
  const std::optional<std::string_view> said = after_reasoning(response);
  if (!said) return {AnswerStatus::kUnparsable, std::nullopt, "truncated_reasoning"};
  std::string clean = cleaned(*said);
  std::string_view text = trimmed(clean);
  if (text.empty()) return {AnswerStatus::kEmpty, std::nullopt, "empty"};
  return parse_cleaned(text, options);
}

}  // namespace snellen::text
