// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/clean_start.h"

#include <gtest/gtest.h>

#include <vector>

namespace snellen::media {
namespace {

using Bytes = std::vector<uint8_t>;
const Bytes kFourByteLengths = {1, 100, 0, 10, 0xFF};

TEST(HasIdrPicture, FindsItBehindLengths) {
  EXPECT_TRUE(has_idr_picture(Bytes{0, 0, 0, 2, 0x06, 9, 0, 0, 0, 1, 0x65}, kFourByteLengths));
  EXPECT_FALSE(has_idr_picture(Bytes{0, 0, 0, 2, 0x06, 9, 0, 0, 0, 1, 0x41}, kFourByteLengths));
}

TEST(HasIdrPicture, FindsItBehindStartCodes) {
  EXPECT_TRUE(has_idr_picture(Bytes{0, 0, 0, 1, 0x09, 0xF0, 0, 0, 1, 0x65, 1}, {}));
  EXPECT_FALSE(has_idr_picture(Bytes{0, 0, 0, 1, 0x09, 0xF0, 0, 0, 1, 0x41, 1}, {}));
}

TEST(HasIdrPicture, StopsAtLengthsThatDoNotFit) {
  EXPECT_FALSE(has_idr_picture(Bytes{0xFF, 0xFF, 0xFF, 0xFF, 0x65}, kFourByteLengths));
  EXPECT_FALSE(has_idr_picture(Bytes{0, 0, 0, 0, 0x65}, kFourByteLengths));
  EXPECT_FALSE(has_idr_picture(Bytes{}, kFourByteLengths));
}

}  // namespace
}  // namespace snellen::media
