// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/wire.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::dist {
namespace {

TEST(Wire, WritesSmallNumbersShort) {
  WireWriter writer;
  writer.number(0);
  writer.number(127);
  writer.number(128);
  EXPECT_EQ(writer.take(), std::string("\x00\x7F\x80\x01", 4));
}

TEST(Wire, ReadsBackWhatWasWritten) {
  WireWriter writer;
  writer.number(std::numeric_limits<uint64_t>::max());
  writer.real(-0.0);
  writer.real(std::numeric_limits<double>::quiet_NaN());
  writer.text(std::string_view("a\0b", 3));
  std::string bytes = writer.take();
  WireReader reader(bytes);
  EXPECT_EQ(reader.number(), std::numeric_limits<uint64_t>::max());
  EXPECT_TRUE(std::signbit(reader.real()));
  EXPECT_TRUE(std::isnan(reader.real()));
  EXPECT_EQ(reader.text(), std::string_view("a\0b", 3));
  EXPECT_NO_THROW(reader.finish());
}

TEST(Wire, RefusesBytesThatEndEarly) {
  EXPECT_THROW(WireReader("").number(), Error);
  EXPECT_THROW(WireReader("\x80").number(), Error);
  EXPECT_THROW(WireReader("1234567").real(), Error);
  EXPECT_THROW(WireReader("\x05"
                          "abc")
                   .text(),
               Error);
}

TEST(Wire, RefusesNumbersThatCannotBe) {
  EXPECT_THROW(WireReader("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02").number(), Error);
  EXPECT_THROW(WireReader("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01").number(), Error);
  EXPECT_THROW(WireReader("\x03").number(/*most=*/2), Error);
  EXPECT_THROW(WireReader("x").finish(), Error);
}

}  // namespace
}  // namespace snellen::dist
