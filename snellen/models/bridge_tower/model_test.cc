// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(BridgeTower, ComputesWhatItsFixtureSays) {
  expect_fixture("bridgetower_itc");
}

TEST(BridgeTower, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("bridgetower_itc");
}

}  // namespace
}  // namespace snellen::models
