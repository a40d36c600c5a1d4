// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/cider.h"

#include <cmath>
#include <thread>

#include <gmock/gmock.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Pointwise;

text::StringSets sets_of(const std::vector<std::vector<std::string>>& all) {
  text::StringSets sets;
  for (const auto& set : all) {
    sets.start_set();
    for (const std::string& text : set) sets.add(text);
  }
  return sets;
}

TEST(Cider, OfAPerfectMatchIsOneUpToTheLengthOfTheText) {
  text::StringSets sets = sets_of({{"a b"}, {"c d"}});
  CiderCorpus corpus(sets, {.n = 4});
  std::vector<double> scores = corpus.score("a b", 0);
  EXPECT_NEAR(scores[0], 1.0, 1e-12);
  EXPECT_NEAR(scores[1], 1.0, 1e-12);
  EXPECT_NEAR(scores[2], 2.0 / 3, 1e-12);
  EXPECT_NEAR(scores[3], 0.5, 1e-12);
}

TEST(Cider, WeighsUnseenWordsInTheNorm) {
  // N = 2: a and x both weigh ln 2, so the cosine of {a, x} with {a} is 1 / sqrt 2.
  text::StringSets sets = sets_of({{"a"}, {"c"}});
  CiderCorpus corpus(sets, {.n = 1});
  EXPECT_NEAR(corpus.score("a x", 0)[0], 1 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(corpus.score("a x x", 0)[0], 1 / std::sqrt(5.0), 1e-12);
}

TEST(Cider, GivesEqualUnseenNgramsOneCount) {
  // Bigrams of "x y x y": (x y) twice and (y x) once, none of them the reference's.
  text::StringSets sets = sets_of({{"a b x"}, {"c"}});
  CiderCorpus corpus(sets, {.n = 2});
  double unigrams = (1 * 1) / (std::sqrt(3.0) * std::sqrt(1 + 1 + 4 + 4.0));
  double bigrams = 1 / (std::sqrt(2.0) * std::sqrt(1 + 4 + 1 + 1.0 + 1));
  // "a b y x y x" would share x too; here only a and b are shared.
  std::vector<double> scores = corpus.score("a b y z y z", 0);
  EXPECT_NEAR(scores[0], 2 * unigrams, 1e-12);
  // Bigrams: (a b) shared, (b y), (y z) twice, (z y).
  EXPECT_NEAR(
      scores[1], (2 * unigrams + 1 / (std::sqrt(2.0) * std::sqrt(1 + 1 + 4 + 1.0))) / 2, 1e-12);
  EXPECT_GT(bigrams, 0);
}

TEST(Cider, IsZeroWithASingleSet) {
  text::StringSets sets = sets_of({{"a b c", "a"}});
  EXPECT_THAT(CiderCorpus(sets, {}).score("a b c", 0), Each(0.0));
}

TEST(Cider, OfTextsWithoutWordsIsZero) {
  text::StringSets sets = sets_of({{"", "a"}, {" "}});
  CiderCorpus corpus(sets, {.n = 2});
  EXPECT_THAT(corpus.score("", 0), ElementsAre(0.0, 0.0));
  EXPECT_THAT(corpus.score("a", 1), ElementsAre(0.0, 0.0));
  EXPECT_NEAR(
      corpus.score("a", 0)[0], 0.5, 1e-12);  // the blank reference counts, with similarity 0
  text::StringSets blank = sets_of({{""}});
  EXPECT_THAT(CiderCorpus(blank, {}).score("a", 0), Each(0.0));
}

TEST(Cider, VariantDClipsCountsAndPenalisesLength) {
  text::StringSets sets = sets_of({{"a b"}, {"c"}});
  CiderCorpus corpus(sets, {.n = 1, .variant = CiderVariant::kD});
  // Clipped: (1*1) over norms sqrt 2 and 3; lengths 3 and 2 words, sigma 6; times 10.
  double expected = 10 * 1 / (std::sqrt(2.0) * 3) * std::exp(-1.0 / 72);
  EXPECT_NEAR(corpus.score("a a a", 0)[0], expected, 1e-12);
}

TEST(Cider, DoesNotDependOnEntryOrderNorOnParts) {
  std::vector<std::vector<std::string>> all = {
      {"a b c", "b c"}, {"c a b", "x"}, {"a a b"}, {"y z", "a"}};
  text::StringSets forward = sets_of(all);
  text::StringSets backward = sets_of({all.rbegin(), all.rend()});
  Parts parts{.num_parts = 3, .run = [](size_t num_parts, const std::function<void(size_t)>& part) {
                std::vector<std::jthread> threads;
                for (size_t i = 0; i < num_parts; ++i)
                  threads.emplace_back([&part, i] { part(i); });
              }};
  CiderCorpus one(forward, {});
  CiderCorpus other(backward, {});
  CiderCorpus in_parts(forward, {}, parts);
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<double> scores = one.score("a b q c a b", i);
    EXPECT_THAT(other.score("a b q c a b", all.size() - 1 - i),
                Pointwise(testing::DoubleNear(1e-12), scores));
    EXPECT_EQ(in_parts.score("a b q c a b", i), scores);
  }
}

TEST(Cider, RefusesAnImpossibleOrder) {
  text::StringSets sets = sets_of({{"a"}});
  EXPECT_THROW(CiderCorpus(sets, {.n = 0}), Error);
  EXPECT_THROW(CiderCorpus(sets, {.n = 65}), Error);
}

}  // namespace
}  // namespace snellen::metrics
