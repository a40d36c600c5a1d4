// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/gruen.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/text/utf8.h"

namespace snellen::metrics {
namespace {

using Text = std::u32string;
using TextView = std::u32string_view;

constexpr size_t kMostCharacters = 10'000;

// As Python's str.isspace.
bool is_space(char32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F) || c == 0x85 ||
         c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

Text characters_of(const std::string& sentence) {
  Text text;
  for (size_t at = 0; at < sentence.size();) {
    const text::CodePoint c = text::decode_at(sentence, at);
    text.push_back(c.value);
    at += c.size;
  }
  size_t begin = 0;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  size_t end = text.size();
  while (end > begin && is_space(text[end - 1])) --end;
  if (end - begin > kMostCharacters) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format(
            "a sentence of {} characters, at most {} are compared", end - begin, kMostCharacters),
        "redundancy",
        "split the text into sentences"};
  }
  return text.substr(begin, end - begin);
}

std::vector<TextView> words_of(TextView text) {
  std::vector<TextView> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && !is_space(text[end])) ++end;
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Where each character of b stands; in texts of 200 characters and more those that make up over a
// hundredth of it (and one) start no match, as Python's difflib has it.
std::map<char32_t, std::vector<size_t>> places_of(TextView b) {
  std::map<char32_t, std::vector<size_t>> places;
  for (size_t j = 0; j < b.size(); ++j) places[b[j]].push_back(j);
  if (b.size() >= 200) {
    const size_t most = b.size() / 100 + 1;
    std::erase_if(places, [&](const auto& entry) { return entry.second.size() > most; });
  }
  return places;
}

// The longest common run of characters that difflib finds, as a part of a.
TextView longest_match(TextView a, TextView b) {
  const auto places = places_of(b);
  size_t best_i = 0;
  size_t best_j = 0;
  size_t best = 0;
  std::vector<size_t> before(b.size() + 1, 0);  // length of the match that ends at (i - 1, j)
  std::vector<size_t> lengths(b.size() + 1, 0);
  for (size_t i = 0; i < a.size(); ++i) {
    std::fill(lengths.begin(), lengths.end(), size_t{0});
    if (const auto found = places.find(a[i]); found != places.end()) {
      for (const size_t j : found->second) {
        lengths[j + 1] = before[j] + 1;
        if (lengths[j + 1] > best) {
          best = lengths[j + 1];
          best_i = i + 1 - best;
          best_j = j + 1 - best;
        }
      }
    }
    std::swap(before, lengths);
  }
  while (best_i > 0 && best_j > 0 && a[best_i - 1] == b[best_j - 1]) {
    --best_i;
    --best_j;
    ++best;
  }
  while (best_i + best < a.size() && best_j + best < b.size() &&
         a[best_i + best] == b[best_j + best])
    ++best;
  return a.substr(best_i, best);
}

size_t edit_distance(TextView a, TextView b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

int flags_of(TextView a, TextView b) {
  if (a.find(b) != TextView::npos || b.find(a) != TextView::npos) return 4;
  const std::vector<TextView> a_words = words_of(a);
  const std::vector<TextView> b_words = words_of(b);
  if (std::max(a_words.size(), b_words.size()) < 5) return 0;
  const auto fewest_words = static_cast<double>(std::min(a_words.size(), b_words.size()));
  const TextView common = longest_match(a, b);
  const auto num_common = std::count_if(a_words.begin(), a_words.end(), [&](TextView word) {
    return std::find(b_words.begin(), b_words.end(), word) != b_words.end();
  });
  int flags = 0;
  if (static_cast<double>(common.size()) > 0.8 * static_cast<double>(std::min(a.size(), b.size())))
    ++flags;
  if (static_cast<double>(words_of(common).size()) > 0.8 * fewest_words) ++flags;
  if (static_cast<double>(edit_distance(a, b)) <
      0.6 * static_cast<double>(std::max(a.size(), b.size())))
    ++flags;
  if (static_cast<double>(num_common) > 0.8 * fewest_words) ++flags;
  return flags;
}

}  // namespace

double gruen_grammaticality(double lm_perplexity, double cola_logit) {
  return std::max(0.0, (std::exp(-0.5 * lm_perplexity) + cola_logit) / 8.0 + 0.5);
}

GruenRedundancy gruen_redundancy(std::span<const std::string> sentences) {
  std::vector<Text> texts;
  texts.reserve(sentences.size());
  for (const std::string& sentence : sentences) texts.push_back(characters_of(sentence));
  GruenRedundancy found;
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = i + 1; j < texts.size(); ++j) found.flags += flags_of(texts[i], texts[j]);
  }
  found.score = -0.1 * found.flags;
  return found;
}

}  // namespace snellen::metrics
