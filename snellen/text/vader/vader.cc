// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vader/vader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory_resource>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/text/vader/vader_rules.h"

namespace snellen::text {
namespace {

constexpr double kAlpha = 15;

// Python's round(x, decimals) for |x| <= 1: the exact binary value to the nearest decimal, ties to
// even. Scaling is right unless it lands beside a tie; only then are the exact digits needed.
double rounded(double x, int decimals) {
  const double scale = decimals == 3 ? 1e3 : 1e4;
  double scaled = x * scale;
  double nearest = std::nearbyint(scaled);
  if (std::abs(std::abs(scaled - nearest) - 0.5) > 1e-9) return nearest / scale;
  const std::string digits = fmt::format("{:.{}f}", x, decimals);
  double exact = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), exact);
  return exact;
}

// Four of a mark count as much as any more, so there is no need to look further.
int count_up_to_four(std::string_view text, char mark) {
  int count = 0;
  for (size_t at = text.find(mark); at != std::string_view::npos && ++count < 4;) {
    at = text.find(mark, at + 1);
  }
  return count;
}

double emphasis_of(std::string_view text) {
  int questions = count_up_to_four(text, '?');
  double emphasis = count_up_to_four(text, '!') * 0.292;
  if (questions > 3) return emphasis + 0.96;
  return questions > 1 ? emphasis + questions * 0.18 : emphasis;
}

// Additions run in the order of the reference, so that the doubles are the same.
Sentiment sentiment_of(std::span<const double> values, double emphasis) {
  double sum = 0;
  double positive = 0;
  double negative = 0;
  double num_neutral = 0;
  for (double value : values) {
    sum += value;
    if (value > 0) positive += value + 1;
    if (value < 0) negative += value - 1;
    if (value == 0) num_neutral += 1;
  }
  if (sum > 0) {
    sum += emphasis;
  } else if (sum < 0) {
    sum -= emphasis;
  }
  double compound = std::clamp(sum / std::sqrt(sum * sum + kAlpha), -1.0, 1.0);
  if (positive > std::abs(negative)) {
    positive += emphasis;
  } else if (positive < std::abs(negative)) {
    negative -= emphasis;
  }
  double total = positive + std::abs(negative) + num_neutral;
  return {.neg = rounded(std::abs(negative / total), 3),
          .neu = rounded(std::abs(num_neutral / total), 3),
          .pos = rounded(std::abs(positive / total), 3),
          .compound = rounded(compound, 4)};
}

}  // namespace

Vader::Vader(VaderWords words, EmojiTable emoji, VaderVariant variant)
    : words_(std::move(words)), emoji_(std::move(emoji)), variant_(variant) {}

Vader Vader::from_files(const std::filesystem::path& lexicon,
                        const std::filesystem::path& emoji,
                        VaderVariant variant) {
  VaderWords words(read_text_file(lexicon), lexicon.string());
  EmojiTable table;
  if (!emoji.empty()) table = EmojiTable(read_text_file(emoji), emoji.string());
  return Vader(std::move(words), std::move(table), variant);
}

Sentiment Vader::score(std::string_view text) const {
  std::optional<std::string> without_emoji = emoji_.replaced(text);
  if (without_emoji) text = *without_emoji;

  // A sentence or two fits in here, so most texts need no allocation at all.
  std::array<std::byte, 8192> stack;
  std::pmr::monotonic_buffer_resource memory(stack.data(), stack.size());
  VaderTokens tokens(&memory);
  tokens.reserve(64);
  tokenize_for_vader(text, words_, tokens);
  if (tokens.empty()) return {};

  bool cap_difference = has_cap_difference(tokens);
  std::pmr::vector<double> values(tokens.size(), &memory);
  size_t but = tokens.size();
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].word->is_in_lexicon) values[i] = valence_of(tokens, i, cap_difference);
    if (but == tokens.size() && tokens[i].word->id == VaderWordId::kBut) but = i;
  }
  if (but < tokens.size()) weigh_around_but(values, but, variant_ == VaderVariant::kFixed);
  return sentiment_of(values, emphasis_of(text));
}

}  // namespace snellen::text
