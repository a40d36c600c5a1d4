// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Gpt2, ComputesWhatItsFixtureSays) {
  expect_fixture("gpt2_sharded");
}

TEST(Gpt2, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("gpt2_sharded");
}

}  // namespace
}  // namespace snellen::models
