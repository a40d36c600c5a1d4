// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Siglip, ComputesWhatItsFixtureSays) {
  expect_fixture("siglip");
}

TEST(Siglip, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("siglip");
}

}  // namespace
}  // namespace snellen::models
