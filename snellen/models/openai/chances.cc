// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/chances.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/ascii.h"
#include "snellen/text/answers/answer_parser.h"

namespace snellen::models::openai {
namespace {

constexpr std::string_view kHole = "{}";

bool takes_off(std::string_view mark, std::string_view& token) {
  if (!token.starts_with(mark)) return false;
  token.remove_prefix(mark.size());
  return true;
}

// Without blanks and the marks that tokenizers put before a word.
std::string_view bare(std::string_view token) {
  while (takes_off(" ", token) || takes_off("\n", token) || takes_off("\xe2\x96\x81", token) ||
         takes_off("\xc4\xa0", token)) {
  }
  while (!token.empty() && (token.back() == ' ' || token.back() == '\n')) token.remove_suffix(1);
  return token;
}

std::string first_word(std::string_view text) {
  size_t begin = 0;
  while (begin < text.size() && std::isalpha(static_cast<unsigned char>(text[begin])) == 0) ++begin;
  size_t end = begin;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  return ascii_lower(text.substr(begin, end - begin));
}

// The answer's words, without the reasoning before them; empty where it only reasoned.
std::string_view words_of(const ChatAnswer& answer) {
  return text::after_reasoning(answer.text).value_or(std::string_view());
}

// The first token of an answer that reasons before is none of the answer itself.
bool has_reasoned(const ChatAnswer& answer) {
  return !answer.reasoning.empty() || words_of(answer).size() < answer.text.size();
}

// Why an answer without a usable text gives no score.
Error no_score(const ChatAnswer& answer, std::string what) {
  if (answer.is_refused()) what = "the model refused to answer";
  if (bare(words_of(answer)).empty() && has_reasoned(answer))
    return Error{ErrorCode::kInvalidInput,
                 "the model reasoned aloud and gave no answer",
                 {},
                 "raise --max-tokens, or switch its reasoning off with --extra"};
  return Error{ErrorCode::kInvalidInput, std::move(what)};
}

}  // namespace

std::string filled(std::string_view yes_template, std::string_view caption) {
  const size_t hole = yes_template.find(kHole);
  if (hole == std::string_view::npos ||
      yes_template.find(kHole, hole + kHole.size()) != std::string_view::npos)
    throw Error{ErrorCode::kUsage,
                "has not exactly one {} for the caption",
                "--yes-template",
                "for example 'Does this figure show \"{}\"? Please answer yes or no.'"};
  return fmt::format(
      "{}{}{}", yes_template.substr(0, hole), caption, yes_template.substr(hole + kHole.size()));
}

Result<YesScore> yes_score(const ChatAnswer& answer) {
  auto from_words = [&]() -> Result<YesScore> {
    const std::string word = first_word(words_of(answer));
    if (word != "yes" && word != "no")
      return no_score(answer, "the answer begins with neither yes nor no");
    return YesScore{.value = word == "yes" ? 1.0 : 0.0, .mass = 1, .is_from_words = true};
  };
  if (answer.first_token.empty()) return from_words();
  double yes = 0;
  double no = 0;
  for (const TokenChance& one : answer.first_token) {
    const std::string word = ascii_lower(bare(one.token));
    if (word == "yes") yes += std::exp(one.logprob);
    if (word == "no") no += std::exp(one.logprob);
  }
  if (!(yes + no > 0) && has_reasoned(answer)) return from_words();
  if (!(yes + no > 0))
    return no_score(answer, "neither yes nor no is among the likeliest first tokens");
  return YesScore{.value = yes / (yes + no), .mass = yes + no};
}

Result<LetterChances> letter_chances(const ChatAnswer& answer, size_t num_options) {
  LetterChances chances{.shares = std::vector<double>(num_options)};
  auto letter_of = [&](std::string_view token) {
    takes_off("(", token);
    const bool is_one =
        token.size() == 1 && token[0] >= 'A' && static_cast<size_t>(token[0] - 'A') < num_options;
    return is_one ? static_cast<size_t>(token[0] - 'A') : num_options;
  };
  auto from_words = [&]() -> Result<LetterChances> {
    std::string_view text = bare(words_of(answer));
    takes_off("(", text);
    const bool is_alone =
        text.size() == 1 ||
        (text.size() > 1 && std::isalnum(static_cast<unsigned char>(text[1])) == 0);
    const size_t letter = is_alone ? letter_of(text.substr(0, 1)) : num_options;
    if (letter == num_options) return no_score(answer, "the answer is none of the letters");
    chances.shares[letter] = chances.mass = 1;
    chances.is_from_words = true;
    return chances;
  };
  if (answer.first_token.empty()) return from_words();
  for (const TokenChance& one : answer.first_token) {
    const size_t letter = letter_of(bare(one.token));
    if (letter < num_options) chances.shares[letter] += std::exp(one.logprob);
  }
  for (double share : chances.shares) chances.mass += share;
  if (!(chances.mass > 0) && has_reasoned(answer)) return from_words();
  if (!(chances.mass > 0))
    return no_score(answer, "none of the letters is among the likeliest first tokens");
  for (double& share : chances.shares) share /= chances.mass;
  return chances;
}

std::string letter_list(size_t count) {
  std::string list;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) list += i + 1 == count ? " or " : ", ";
    list += static_cast<char>('A' + i);
  }
  return list;
}

std::string letter_prompt(std::string_view question, const std::vector<std::string_view>& options) {
  std::string prompt(question);
  for (size_t i = 0; i < options.size(); ++i)
    prompt += fmt::format("\n{}) {}", static_cast<char>('A' + i), options[i]);
  return prompt + fmt::format("\nReply with one letter only ({}):", letter_list(options.size()));
}

size_t num_option_lines(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    std::string_view line = text.substr(at);
    if (line.starts_with('(')) line.remove_prefix(1);
    if (line.size() > 1 && line[0] == static_cast<char>('A' + count) &&
        (line[1] == ')' || line[1] == '.'))
      ++count;
  }
  return count;
}

}  // namespace snellen::models::openai
