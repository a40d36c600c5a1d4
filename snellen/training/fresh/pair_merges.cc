// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/fresh/pair_merges.h"

namespace snellen::training {
namespace {

using Pair = std::pair<std::string, std::string>;

std::vector<std::string> merged(const std::vector<std::string>& word, const Pair& pair) {
  std::vector<std::string> shorter;
  for (size_t i = 0; i < word.size(); ++i) {
    if (i + 1 < word.size() && word[i] == pair.first && word[i + 1] == pair.second) {
      shorter.push_back(word[i] + word[i + 1]);
      ++i;
    } else {
      shorter.push_back(word[i]);
    }
  }
  return shorter;
}

}  // namespace

std::vector<Pair> learn_merges(CountedWords words, size_t max_merges) {
  std::vector<Pair> merges;
  while (merges.size() < max_merges) {
    std::map<Pair, uint64_t> counts;
    for (const auto& [word, count] : words) {
      for (size_t i = 0; i + 1 < word.size(); ++i) counts[{word[i], word[i + 1]}] += count;
    }
    const Pair* best = nullptr;
    uint64_t most = 0;
    for (const auto& [pair, count] : counts) {
      if (count > most) {
        most = count;
        best = &pair;
      }
    }
    if (!best) break;
    CountedWords shorter;
    for (const auto& [word, count] : words) shorter[merged(word, *best)] += count;
    merges.push_back(*best);
    words = std::move(shorter);
  }
  return merges;
}

}  // namespace snellen::training
