// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/codecs/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/media/codecs/encode.h"
#include "snellen/testing/handmade_pictures.h"

namespace snellen::media {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<uint8_t> pixels_of(const std::string& bytes) {
  return decode_image(bytes, "picture").value().pixels;
}

TEST(Decode, GivesBackWhatPngWrote) {
  Image image = colourful(17, 9);
  EXPECT_EQ(decode_image(encode_png(image), "a").value(), image);
  EXPECT_EQ(decode_image(encode_png(image, {.compression = 1, .is_filtered = false}), "a").value(),
            image);
}

TEST(Decode, ReadsJpegOfEachSubsampling) {
  Image image = Image::blank(33, 18);
  std::fill(image.pixels.begin(), image.pixels.end(), 200);
  for (auto subsampling :
       {ChromaSubsampling::k444, ChromaSubsampling::k422, ChromaSubsampling::k420}) {
    EXPECT_EQ(decode_image(encode_jpeg(image, {95, subsampling}), "a").value(), image);
  }
}

TEST(Decode, ClipsSixteenBitGreyAndTakesTheHighByteOfColour) {
  EXPECT_THAT(pixels_of(handmade_png(3, 1, 16, 0, std::string("\0\0\x64\1\0\xff\xff", 7))),
              ElementsAre(100, 100, 100, 255, 255, 255, 255, 255, 255));
  EXPECT_THAT(pixels_of(handmade_png(1, 1, 16, 2, std::string("\0\x12\xff\0\x7f\xff\0", 7))),
              ElementsAre(0x12, 0, 0xff));
}

TEST(Decode, DropsAlphaAndExpandsGrey) {
  EXPECT_THAT(pixels_of(handmade_png(1, 1, 8, 6, std::string("\0\1\2\3\0", 5))),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(pixels_of(handmade_png(2, 1, 4, 0, std::string("\0\x1b", 2))),
              ElementsAre(17, 17, 17, 187, 187, 187));
}

TEST(Decode, LaysAlphaOnWhiteWhenAsked) {
  DecodeOptions options = {.alpha_on_white = true};
  auto laid = [&](const std::string& bytes) {
    return decode_image(bytes, "picture", options).value().pixels;
  };
  EXPECT_THAT(laid(handmade_png(1, 1, 8, 6, std::string("\0\1\2\3\0", 5))),
              ElementsAre(255, 255, 255));
  EXPECT_THAT(laid(handmade_png(1, 1, 8, 6, std::string("\0\1\2\3\xff", 5))), ElementsAre(1, 2, 3));
  // Half of grey 100 over white: (100 * 128 + 255 * 127) / 255 = 177.2.
  EXPECT_THAT(laid(handmade_png(1, 1, 8, 4, std::string("\0\x64\x80", 3))),
              ElementsAre(177, 177, 177));
  std::string palette = png_chunk("PLTE", "\1\2\3\4\5\6") + png_chunk("tRNS", std::string("\0", 1));
  EXPECT_THAT(laid(handmade_png(2, 1, 8, 3, std::string("\0\1\0", 3), palette)),
              ElementsAre(4, 5, 6, 255, 255, 255));
  Image plain = colourful(5, 4);
  EXPECT_EQ(decode_image(encode_png(plain), "a", options).value(), plain);
}

TEST(Decode, ReadsAnIndexBeyondThePaletteAsBlack) {
  std::string palette = png_chunk("PLTE", "\1\2\3\4\5\6");
  EXPECT_THAT(pixels_of(handmade_png(3, 1, 8, 3, std::string("\0\1\0\7", 4), palette)),
              ElementsAre(4, 5, 6, 1, 2, 3, 0, 0, 0));
}

TEST(Decode, ReadsTheFirstFrameOfAGif) {
  EXPECT_THAT(pixels_of(handmade_gif()), ElementsAre(255, 0, 0, 0, 255, 0, 0, 0, 255));
}

TEST(Decode, ReadsBmpFromTheBottomUp) {
  std::string rows("\1\2\3\0\4\5\6\0", 8);
  EXPECT_THAT(pixels_of(handmade_bmp(1, 2, rows)), ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_THAT(pixels_of(handmade_bmp(1, -2, rows)), ElementsAre(3, 2, 1, 6, 5, 4));
}

TEST(Decode, NamesABmpFormItDoesNotRead) {
  std::string bmp = handmade_bmp(1, 1, std::string(4, '\0'));
  bmp[30] = 1;  // run lengths
  EXPECT_THAT(decode_image(bmp, "a").error().message(), HasSubstr("compression 1"));
}

TEST(Decode, TurnsAPictureOnlyWhenAsked) {
  // Big-endian TIFF with one entry: orientation 6, "turn clockwise to view".
  std::string exif("MM\0\x2a\0\0\0\x8\0\1\x1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0", 26);
  std::string png =
      handmade_png(2, 1, 8, 2, std::string("\0\1\2\3\4\5\6", 7), png_chunk("eXIf", exif));
  Image as_stored = decode_image(png, "a").value();
  EXPECT_EQ(as_stored.width, 2);
  Image turned = decode_image(png, "a", {.apply_orientation = true}).value();
  EXPECT_EQ(turned.width, 1);
  EXPECT_EQ(turned.height, 2);
  EXPECT_EQ(turned.pixels, as_stored.pixels);
}

TEST(Decode, TellsFormatAndSizeFromTheHeader) {
  ImageInfo info = image_info(encode_jpeg(colourful(31, 7)), "a").value();
  EXPECT_EQ(info.format, ImageFormat::kJpeg);
  EXPECT_EQ(info.width, 31);
  EXPECT_EQ(info.height, 7);
  EXPECT_EQ(image_info(handmade_gif(), "a").value().width, 3);
}

TEST(Decode, GoesByContentAndNotByName) {
  EXPECT_EQ(decode_image(encode_png(colourful(2, 2)), "picture.jpg").value(), colourful(2, 2));
}

TEST(ReadImage, NamesAFileThatIsNotThere) {
  Result<Image> image = read_image("no/such/picture.png");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(image.error().what(), HasSubstr("no/such/picture.png"));
}

}  // namespace
}  // namespace snellen::media
