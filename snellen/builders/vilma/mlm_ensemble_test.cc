// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/mlm_ensemble.h"

#include <gtest/gtest.h>

namespace snellen::builders::vilma {
namespace {

annotations::FoilCandidate candidate(std::string noun, double score, std::string model) {
  annotations::FoilCandidate one;
  one.phrase = "a " + noun;
  one.noun = std::move(noun);
  one.score = score;
  one.model = std::move(model);
  return one;
}

TEST(MlmEnsemble, CountsModelsFirstAndScoresSecond) {
  const std::vector<std::vector<annotations::FoilCandidate>> models = {
      {candidate("nail", 0.5, "m1"), candidate("egg", 0.25, "m1")},
      {candidate("egg", 0.5, "m2"), candidate("nail", 0.5, "m2"), candidate("rope", 0.9, "m2")}};
  const auto merged = ensemble(models, {});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].noun, "nail");
  EXPECT_EQ(merged[0].score, 2.25);
  EXPECT_EQ(merged[0].models, (std::vector<std::string>{"m1", "m2"}));
  EXPECT_EQ(merged[1].noun, "egg");
  EXPECT_EQ(merged[1].score, 2.125);
}

TEST(MlmEnsemble, KeepsTheOrderOfEqualsAndTheFirstOfThem) {
  const std::vector<std::vector<annotations::FoilCandidate>> models = {
      {candidate("b", 0.5, "m"), candidate("a", 0.5, "m"), candidate("c", 0.5, "m")}};
  const auto merged = ensemble(models, {.top_k = 2, .threshold = 0});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].noun, "b");
  EXPECT_EQ(merged[1].noun, "a");
}

TEST(MlmEnsemble, IsEmptyWithoutCandidates) {
  EXPECT_TRUE(ensemble({}, {}).empty());
}

}  // namespace
}  // namespace snellen::builders::vilma
