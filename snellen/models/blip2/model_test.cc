// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Blip2, ComputesWhatItsFixtureSays) {
  expect_fixture("blip2_itr");
  expect_fixture("blip2_opt");
}

TEST(Blip2, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("blip2_itr");
  expect_same_in_any_batch("blip2_opt");
}

// The fixture's position table would take 40.
TEST(Blip2, CutsTextsWhereTheReferenceDoes) {
  LoadedFixture loaded("blip2_itr");
  ASSERT_TRUE(loaded.network);
  EXPECT_EQ(loaded.network->facts().max_text_tokens, 32);
}

}  // namespace
}  // namespace snellen::models
