// SPDX-License-Identifier: Apache-2.0
#include "snellen/audit/word_classifier.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/audit/text_words.h"
#include "snellen/base/hash.h"
#include "snellen/base/splitmix.h"

namespace snellen::audit {
namespace {

constexpr uint32_t kWeights = 1U << 16;
constexpr double kRate = 0.1;
constexpr double kSmallest = 1e-8;

}  // namespace

WordClassifier::WordClassifier(uint64_t seed)
    : seed_(seed), weights_(kFolds, std::vector<Weight>(kWeights)) {}

uint32_t WordClassifier::fold_of(std::string_view picture) const {
  // Mixed once more: the low bits of the plain hash follow the last characters.
  const uint64_t key = fnv1a64(fmt::format("{}|audit-fold|{}", seed_, picture));
  return static_cast<uint32_t>(splitmix64(key) % kFolds);
}

WordClassifier::Bag WordClassifier::bag_of(std::string_view text) {
  Bag bag;
  for (const std::string& word : words_of(text))
    bag.push_back(static_cast<uint32_t>(splitmix64(fnv1a64(word)) % kWeights));
  // Sums of the same words are the same to the last bit.
  std::sort(bag.begin(), bag.end());
  return bag;
}

double WordClassifier::score(const Bag& bag, uint32_t fold) const {
  double sum = 0;
  for (const uint32_t word : bag) sum += weights_[fold][word].value;
  return sum;
}

// Of a right text with a wrong one: the loss is log(1 + exp(score(wrong) - score(right))).
void WordClassifier::step(const Bag& right, const Bag& wrong, uint32_t fold) {
  const double lead = score(right, fold) - score(wrong, fold);
  const double pull = 1.0 / (1.0 + std::exp(lead));
  auto move = [&](const Bag& bag, double gradient) {
    for (const uint32_t word : bag) {
      Weight& weight = weights_[fold][word];
      weight.squares += gradient * gradient;
      weight.value += kRate * gradient / std::sqrt(weight.squares + kSmallest);
    }
  };
  // Words that both have come to nothing in the sum of the two.
  Bag only_right = right;
  Bag only_wrong;
  for (const uint32_t word : wrong) {
    const auto same = std::find(only_right.begin(), only_right.end(), word);
    if (same == only_right.end()) {
      only_wrong.push_back(word);
    } else {
      only_right.erase(same);
    }
  }
  move(only_right, pull);
  move(only_wrong, -pull);
}

void WordClassifier::learn(const TextChoice& choice, uint32_t fold) {
  std::vector<Bag> bags;
  for (const std::string_view text : choice.texts) bags.push_back(bag_of(text));
  for (uint32_t other = 0; other < kFolds; ++other) {
    if (other == fold) continue;
    for (size_t right = 0; right < bags.size(); ++right) {
      if (!choice.is_right[right]) continue;
      for (size_t wrong = 0; wrong < bags.size(); ++wrong) {
        if (!choice.is_right[wrong]) step(bags[right], bags[wrong], other);
      }
    }
  }
}

std::vector<double> WordClassifier::scores(const TextChoice& choice, uint32_t fold) const {
  std::vector<double> all;
  for (const std::string_view text : choice.texts) all.push_back(score(bag_of(text), fold));
  return all;
}

}  // namespace snellen::audit
