// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Flava, ComputesWhatItsFixtureSays) {
  expect_fixture("flava");
}

TEST(Flava, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("flava");
}

}  // namespace
}  // namespace snellen::models
