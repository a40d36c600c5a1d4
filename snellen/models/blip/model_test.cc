// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Blip, ComputesWhatItsFixtureSays) {
  expect_fixture("blip_itm");
}

TEST(Blip, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("blip_itm");
}

}  // namespace
}  // namespace snellen::models
