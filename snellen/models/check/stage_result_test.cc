// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/check/stage_result.h"

#include <limits>

#include <gtest/gtest.h>

namespace snellen::models {
namespace {

FloatTensor of(std::vector<float> values) {
  return {.shape = {static_cast<int64_t>(values.size())}, .values = std::move(values)};
}

TEST(CompareStage, MeasuresAgainstTheLargestExpectedNumber) {
  FixtureStage stage{.name = "scores",
                     .compare = FixtureStage::Compare::kRelative,
                     .tolerance = 0.1,
                     .strict = 0.01};
  StageResult result = compare_stage(stage, "scores", of({10, 1.5}), of({10, 1}), false);
  EXPECT_TRUE(result.is_equal);
  EXPECT_NEAR(result.largest, 0.05, 1e-9);
  EXPECT_EQ(result.index, 1u);
  EXPECT_FALSE(compare_stage(stage, "scores", of({10, 1.5}), of({10, 1}), true).is_equal);
}

TEST(CompareStage, NeverTakesANumberThatIsNotFiniteForEqual) {
  FixtureStage stage{.name = "scores"};
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(compare_stage(stage, "scores", of({nan}), of({1}), false).is_equal);
  EXPECT_FALSE(compare_stage(stage, "scores", of({1}), of({nan}), false).is_equal);
}

TEST(CompareStage, SaysWhichShapesDiffer) {
  FixtureStage stage{.name = "scores"};
  StageResult result = compare_stage(stage, "scores", of({1, 2}), of({1}), false);
  EXPECT_FALSE(result.is_equal);
  EXPECT_EQ(result.note, "shape [2], expected [1]");
}

}  // namespace
}  // namespace snellen::models
