// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/parse_number.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace snellen {
namespace {

TEST(ParseNumber, IsTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<double>("0.25"), 0.25);
  for (const char* text : {"", "x", "1x", " 1", "1 ", "+1", "1.5"}) {
    EXPECT_FALSE(parse_number<int>(text)) << text;
  }
}

TEST(ParseNumber, RefusesWhatDoesNotFitTheType) {
  EXPECT_EQ(parse_number<uint8_t>("255"), 255);
  EXPECT_FALSE(parse_number<uint8_t>("256"));
  EXPECT_FALSE(parse_number<unsigned>("-1"));
  EXPECT_FALSE(parse_number<double>("1e999"));
}

}  // namespace
}  // namespace snellen
