// SPDX-License-Identifier: Apache-2.0
#include "snellen/http/retry_rules.h"

#include <gtest/gtest.h>

namespace snellen::http {
namespace {

TEST(RetryRules, TriesAgainWhatMaySucceedLater) {
  for (int status : {408, 409, 425, 429, 500, 502, 503, 504})
    EXPECT_TRUE(is_worth_retrying({.status = status})) << status;
  for (int status : {200, 400, 401, 403, 404, 413, 422, 501})
    EXPECT_FALSE(is_worth_retrying({.status = status})) << status;
  EXPECT_TRUE(is_worth_retrying({.failure = "timed out"}));
  EXPECT_FALSE(is_worth_retrying({.failure = "no certificate", .is_worth_a_retry = false}));
}

TEST(RetryRules, ReadsRetryAfterAsSecondsOrAsADate) {
  EXPECT_EQ(retry_after_s("7", 0), 7);
  EXPECT_EQ(retry_after_s(" 0.5 ", 0), 0.5);
  EXPECT_EQ(retry_after_s("Thu, 01 Jan 1970 00:01:00 GMT", 20), 40);
  EXPECT_EQ(retry_after_s("Thu, 01 Jan 1970 00:01:00 GMT", 200), 0);  // in the past: now
  EXPECT_EQ(retry_after_s("999999", 0), 3600);
  EXPECT_EQ(retry_after_s("-3", 0), 0);
  for (const char* bad : {"", "soon", "nan", "7 s", "inf"})
    EXPECT_EQ(retry_after_s(bad, 0), std::nullopt) << bad;
}

TEST(RetryRules, WaitsTwiceAsLongEachTimeUpToAMinute) {
  EXPECT_EQ(back_off_s(1, 0), 0.5);
  EXPECT_EQ(back_off_s(3, 0), 2);
  EXPECT_EQ(back_off_s(4, 0.5), 6);
  EXPECT_EQ(back_off_s(100, 0), 30);
}

}  // namespace
}  // namespace snellen::http
