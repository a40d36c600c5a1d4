// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/mock_pictures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/hash.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/models/openai/chat.h"

namespace snellen::models::openai {
namespace {

std::string url_of(const std::string& bytes) {
  return *encoded_picture("image/png", bytes)->url;
}

TEST(MockPictures, AreHashedByTheirBytesAndOnceWhileTheyAreAmongTheLatest) {
  MockPictures pictures(/*wants_texture=*/false);
  const MockPictures::Held first = pictures.of(url_of("a picture")).value();
  EXPECT_EQ(first->sha256, sha256_hex("a picture"));
  EXPECT_EQ(pictures.of(url_of("a picture")).value(), first);
  for (int i = 0; i < 64; ++i) EXPECT_TRUE(pictures.of(url_of(fmt::format("picture {}", i))));
  const MockPictures::Held again = pictures.of(url_of("a picture")).value();
  EXPECT_NE(again, first);
  EXPECT_EQ(again->sha256, first->sha256);
}

TEST(MockPictures, HaveATextureWhereItIsWanted) {
  const media::Image image{.width = 3, .height = 1, .pixels = {0, 0, 0, 10, 10, 10, 40, 40, 40}};
  const std::string bytes = media::encode_png(image, {.compression = 1});
  EXPECT_NEAR(*MockPictures(true).of(url_of(bytes)).value()->texture, 20, 1e-9);
  EXPECT_FALSE(MockPictures(false).of(url_of(bytes)).value()->texture);
  EXPECT_FALSE(MockPictures(true).of(url_of("no picture")).value()->texture);
}

TEST(MockPictures, RefuseWhatIsNoDataUrl) {
  for (const char* url :
       {"", "http://elsewhere/a.png", "data:image/png,abc", "data:image/png;base64,%%%"})
    EXPECT_FALSE(MockPictures(false).of(url)) << url;
}

}  // namespace
}  // namespace snellen::models::openai
