// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/answer_consistency.h"

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

using enum AnswerClass;

TEST(AnswerConsistency, CountsAgreementWithTheModalAnswer) {
  std::vector<std::vector<AnswerClass>> groups = {{kA, kA, kC}, {kB, kB, kB}, {kC}};
  AnswerConsistency result = answer_consistency(groups);
  EXPECT_EQ(result.num_groups, 2u);
  EXPECT_DOUBLE_EQ(*result.share, 5.0 / 6);
  // P = ((4+1-3)/6 + 1)/2 = 2/3; shares 2/6, 3/6, 1/6: Pe = 14/36; kappa = (2/3 - 14/36) / (1 -
  // 14/36) = 10/22.
  EXPECT_NEAR(*result.fleiss_kappa, 10.0 / 22, 1e-12);
}

TEST(AnswerConsistency, HalfOfATiedGroupAgrees) {
  std::vector<std::vector<AnswerClass>> groups = {{kU, kB, kB, kU}};
  EXPECT_EQ(answer_consistency(groups).num_agreeing, 2u);
}

TEST(AnswerConsistency, UnevenGroupsHaveNoKappa) {
  std::vector<std::vector<AnswerClass>> groups = {{kA, kA, kC}, {kB, kA}};
  EXPECT_FALSE(answer_consistency(groups).fleiss_kappa);
  EXPECT_FALSE(answer_consistency({}).share);
}

}  // namespace
}  // namespace snellen::metrics
