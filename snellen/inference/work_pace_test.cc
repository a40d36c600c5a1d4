// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/work_pace.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace snellen::inference {
namespace {

void work(WorkPace& pace, WorkPace::Amount amount, double from, double to) {
  pace.end(pace.begin(amount, from), to);
}

TEST(WorkPace, CountsFromTheStartAndKnowsNoTimeYet) {
  WorkPace pace;
  EXPECT_TRUE(pace.ahead(1).counts.empty());
  pace.expect({WorkPace::kImages, 40}, 1);
  const models::Model::Ahead ahead = pace.ahead(3);
  ASSERT_EQ(ahead.counts.size(), 1U);
  EXPECT_EQ(ahead.counts[0].total, 40U);
  EXPECT_EQ(ahead.seconds, 2);
  EXPECT_EQ(ahead.share, 0);
}

TEST(WorkPace, WeighsStagesByTheirTime) {
  WorkPace pace;
  pace.expect({WorkPace::kImages, 10}, 0);
  pace.expect({WorkPace::kTexts, 100}, 0);
  work(pace, {WorkPace::kTexts, 50}, 0, 1);    // all take 2 s
  work(pace, {WorkPace::kImages, 1}, 1, 2.8);  // all take 18 s
  EXPECT_NEAR(pace.ahead(2.8).share, 2.8 / 20, 1e-12);
}

TEST(WorkPace, AStageThatHasNotBegunIsNotForgotten) {
  WorkPace pace;
  pace.expect({WorkPace::kTexts, 10}, 0);
  pace.expect({WorkPace::kPairs, 90}, 0);
  work(pace, {WorkPace::kTexts, 10}, 0, 1);
  EXPECT_NEAR(pace.ahead(1).share, 0.1, 1e-12);
}

TEST(WorkPace, JobsUnderWayCountAsFarAsTheyHaveCome) {
  WorkPace pace;
  pace.expect({WorkPace::kImages, 10}, 0);
  work(pace, {WorkPace::kImages, 1}, 0, 1);
  pace.begin({WorkPace::kImages, 1}, 1);
  EXPECT_NEAR(pace.ahead(1.5).share, 0.15, 1e-12);
  // One that takes longer than those before is not counted for more than them.
  EXPECT_NEAR(pace.ahead(9).share, 0.2, 1e-12);
}

TEST(WorkPace, JobsThatWaitInAQueueDoNotComeOnTogether) {
  WorkPace pace;
  pace.expect({WorkPace::kPairs, 100}, 0);
  std::vector<uint64_t> jobs;
  for (int i = 0; i < 50; ++i) jobs.push_back(pace.begin({WorkPace::kPairs, 1}, 0));
  for (size_t i = 0; i < 10; ++i) pace.end(jobs[i], static_cast<double>(i + 1));  // one per second
  EXPECT_NEAR(pace.ahead(10).share, 0.1, 1e-12);
  EXPECT_LT(pace.ahead(10.5).share, 0.11);
}

}  // namespace
}  // namespace snellen::inference
