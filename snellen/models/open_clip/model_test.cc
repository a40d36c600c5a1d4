// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(OpenClip, ComputesWhatItsFixtureSays) {
  expect_fixture("openclip_vit");
  expect_fixture("openclip_rn");
}

TEST(OpenClip, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("openclip_vit");
  expect_same_in_any_batch("openclip_rn");
}

}  // namespace
}  // namespace snellen::models
