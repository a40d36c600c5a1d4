// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(XClip, ComputesWhatItsFixtureSays) {
  expect_fixture("xclip");
}

TEST(XClip, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("xclip");
}

}  // namespace
}  // namespace snellen::models
