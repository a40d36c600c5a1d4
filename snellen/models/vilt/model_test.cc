// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Vilt, ComputesWhatItsFixtureSays) {
  expect_fixture("vilt");
}

TEST(Vilt, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("vilt");
}

}  // namespace
}  // namespace snellen::models
