// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/nearest.h"

#include <gtest/gtest.h>

namespace snellen {
namespace {

const std::vector<std::string> kKnown = {"probe-r", "probe-c", "vilma", "visdial-gen"};

TEST(Nearest, PutsTheClosestNameFirst) {
  EXPECT_EQ(nearest_names("vilam", kKnown).front(), "vilma");
  EXPECT_EQ(suggest("probec", kKnown), "did you mean 'probe-c' or 'probe-r'?");
}

TEST(Nearest, ListsAllWhenNothingIsNear) {
  EXPECT_EQ(suggest("zzz", kKnown), "known: probe-r, probe-c, vilma, visdial-gen");
}

TEST(Nearest, StaysCheapOnAHugeName) {
  EXPECT_NO_THROW(nearest_names(std::string(1 << 20, 'x'), kKnown));
}

}  // namespace
}  // namespace snellen
