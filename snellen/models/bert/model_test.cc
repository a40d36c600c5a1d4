// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

TEST(Bert, ComputesWhatItsFixtureSays) {
  expect_fixture("bert_bin");
}

TEST(Bert, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("bert_bin");
}

}  // namespace
}  // namespace snellen::models
