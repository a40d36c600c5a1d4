// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/models/model.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_given();
namespace {

TEST(Given, LeavesEverythingToTheTask) {
  auto model = make_given()->open({});
  EXPECT_TRUE(model->score({.item = "x"})->values.empty());
}

}  // namespace
}  // namespace snellen::models
