// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Align, ComputesWhatItsFixtureSays) {
  expect_fixture("align");
}

TEST(Align, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("align");
}

}  // namespace
}  // namespace snellen::models
