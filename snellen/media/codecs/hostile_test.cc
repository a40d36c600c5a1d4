// SPDX-License-Identifier: Apache-2.0
// Files made to break a decoder: each is one item's error with the file named, and nothing large is
// allocated on a header's word.
#include <webp/encode.h>

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/testing/handmade_pictures.h"

namespace snellen::media {
namespace {

using ::testing::HasSubstr;

std::string encode_webp(const Image& image, bool is_lossless) {
  uint8_t* out = nullptr;
  const int stride = static_cast<int>(image.stride());
  size_t size =
      is_lossless
          ? WebPEncodeLosslessRGB(image.pixels.data(), image.width, image.height, stride, &out)
          : WebPEncodeRGB(image.pixels.data(), image.width, image.height, stride, 80, &out);
  std::string bytes(reinterpret_cast<char*>(out), size);
  WebPFree(out);
  return bytes;
}

// The message of the error that decoding must give.
std::string refusal(std::string_view bytes, const DecodeOptions& options = {}) {
  Result<Image> image = decode_image(bytes, "folder/hostile", options);
  if (image) return "was decoded";
  EXPECT_EQ(image.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(image.error().where(), "folder/hostile");
  return image.error().message();
}

TEST(HostilePicture, RefusesEveryCutOfEveryFormat) {
  const Image image = colourful(90, 70);
  std::string rows(static_cast<size_t>(70 * 272), '\5');
  for (const std::string& whole : {encode_jpeg(image),
                                   encode_png(image),
                                   encode_webp(image, false),
                                   encode_webp(image, true),
                                   handmade_gif(),
                                   handmade_bmp(90, 70, rows)}) {
    ASSERT_TRUE(decode_image(whole, "whole"));
    for (size_t percent = 0; percent < 100; ++percent) {
      // A GIF's last byte is its trailer; every picture of it is there before.
      const size_t size = std::min(whole.size() * percent / 100, whole.size() - 3);
      EXPECT_NE(refusal(whole.substr(0, size)), "was decoded") << whole.substr(0, 4) << percent;
    }
  }
}

TEST(HostilePicture, RefusesAFileOfNoBytes) {
  EXPECT_THAT(refusal(""), HasSubstr("0 bytes"));
}

TEST(HostilePicture, RefusesWhatIsNoPicture) {
  EXPECT_THAT(refusal("<html>not found</html>"), HasSubstr("not a picture"));
}

TEST(HostilePicture, RefusesAnEnormousHeaderBeforeAllocating) {
  EXPECT_THAT(refusal(handmade_png(65535, 65535, 8, 2, "")), HasSubstr("65535x65535"));
  std::string jpeg = encode_jpeg(colourful(8, 8));
  size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  for (size_t i = 5; i < 9; ++i) jpeg[frame + i] = static_cast<char>(0xff);
  EXPECT_THAT(refusal(jpeg), HasSubstr("65500 pixels"));  // libjpeg's own limit comes first
  for (size_t i = 5; i < 9; i += 2) jpeg[frame + i] = static_cast<char>(0xf0);
  EXPECT_THAT(refusal(jpeg), HasSubstr("61695x61695"));
  std::string gif = handmade_gif();
  for (size_t i = 6; i < 10; ++i) gif[i] = static_cast<char>(0xff);
  EXPECT_THAT(refusal(gif), HasSubstr("65535x65535"));
  EXPECT_THAT(refusal(handmade_bmp(65535, 65535, "")), HasSubstr("65535x65535"));
}

TEST(HostilePicture, RefusesABombWhoseBytesCannotFillIt) {
  // Within max_pixels, but no 60 bytes inflate to 300 MB.
  EXPECT_THAT(refusal(handmade_png(10000, 10000, 8, 2, "")), HasSubstr("ends early"));
}

TEST(HostilePicture, KeepsToTheLimitsItIsGiven) {
  std::string png = encode_png(colourful(20, 20));
  EXPECT_THAT(refusal(png, {.max_pixels = 399}), HasSubstr("more than the limit of 399"));
  EXPECT_THAT(refusal(png, {.max_bytes = 10}), HasSubstr("more than the limit of 10"));
  EXPECT_EQ(refusal(png, {.max_pixels = 400}), "was decoded");
}

TEST(HostilePicture, RefusesAPngWithABadChecksum) {
  std::string png = encode_png(colourful(20, 20));
  png[png.find("IDAT") + 10] ^= 1;
  EXPECT_NE(refusal(png), "was decoded");
  png = encode_png(colourful(20, 20));
  png[png.find("IHDR") + 20] ^= 1;  // the header's own checksum
  EXPECT_NE(refusal(png), "was decoded");
}

TEST(HostilePicture, RefusesAWebpWithBrokenChunks) {
  std::string webp = encode_webp(colourful(40, 30), true);
  std::string length = webp;
  length[16] = static_cast<char>(0xff);  // the picture chunk claims more than the file
  length[18] = static_cast<char>(0x7f);
  EXPECT_NE(refusal(length), "was decoded");
  std::string name = webp;
  name.replace(12, 4, "JUNK");
  EXPECT_NE(refusal(name), "was decoded");
  std::string body = webp;
  for (size_t i = 25; i < body.size(); ++i) body[i] = static_cast<char>(i * 37);
  EXPECT_NE(refusal(body), "was decoded");
}

TEST(HostilePicture, RefusesAJpegOfTwoComponents) {
  std::string jpeg = encode_jpeg(colourful(8, 8));
  size_t frame = jpeg.find("\xff\xc0");
  jpeg[frame + 9] = 2;
  EXPECT_NE(refusal(jpeg), "was decoded");
}

TEST(Jpeg, RefusesAHeaderThatItsBytesCannotHold) {
  std::string bytes = encode_jpeg(Image::blank(16, 16));
  const size_t frame = bytes.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  bytes[frame + 5] = bytes[frame + 7] = 0x33;  // 13,328 lines of 13,328 pixels
  bytes[frame + 6] = bytes[frame + 8] = 0x10;
  for (char kind : {'\xC0', '\xC2'}) {  // sequential, progressive
    bytes[frame + 1] = kind;
    Result<Image> image = decode_image(bytes, "large.jpg");
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().message().find("cannot hold"), std::string::npos)
        << image.error().what();
  }
}

}  // namespace
}  // namespace snellen::media
