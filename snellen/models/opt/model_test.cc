// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Opt, ComputesWhatItsFixtureSays) {
  expect_fixture("opt");
}

TEST(Opt, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("opt");
}

}  // namespace
}  // namespace snellen::models
