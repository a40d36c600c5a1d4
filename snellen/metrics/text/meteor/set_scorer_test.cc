// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/set_scorer.h"

#include <thread>

#include <gtest/gtest.h>

namespace snellen::metrics::meteor {
namespace {

text::StringSets two_sets() {
  text::StringSets sets;
  sets.start_set();
  sets.add("a red dog");
  sets.add("it is blue");
  sets.start_set();
  sets.add("no ||| two cats");
  return sets;
}

TEST(SetScorer, TakesTheBestReferenceOfTheSet) {
  text::StringSets sets = two_sets();
  SetScorer scorer(std::make_shared<text::meteor::MeteorData>(), sets);
  EXPECT_EQ(scorer.score("it is blue", 0), 1.0);
  EXPECT_EQ(scorer.score("zebra", 0), 0.0);
}

TEST(SetScorer, SplitsAReferenceAtTheSeparatorInCompatOnly) {
  text::StringSets sets = two_sets();
  auto data = std::make_shared<text::meteor::MeteorData>();
  EXPECT_LT(SetScorer(data, sets).score("two cats", 1), 1.0);
  EXPECT_EQ(SetScorer(data, sets, /*is_compat=*/true).score("two cats", 1), 1.0);
}

TEST(SetScorer, GivesTheSameScoresFromManyThreads) {
  text::StringSets sets = two_sets();
  SetScorer scorer(std::make_shared<text::meteor::MeteorData>(), sets);
  double want = scorer.score("is it a dog", 0);
  std::vector<int> differences(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& count : differences) {
      threads.emplace_back([&scorer, &count, want] {
        for (int i = 0; i < 100; ++i) count += scorer.score("is it a dog", 0) != want ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(differences, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace snellen::metrics::meteor
