// SPDX-License-Identifier: Apache-2.0
// The pixels that devices make of a file are those that libjpeg-turbo makes.

#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>

#include <gtest/gtest.h>

#include "snellen/base/rng.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/codecs/handmade_device.h"
#include "snellen/testing/handmade_pictures.h"

namespace snellen::media {
namespace {

Image noise(Rng& rng, int width, int height) {
  Image image = Image::blank(width, height);
  for (uint8_t& byte : image.pixels) byte = static_cast<uint8_t>(rng.below(256));
  return image;
}

TEST(JpegScan, BecomeThePixelsOfTheLibrary) {
  Rng rng(7);
  for (int round = 0; round < 150; ++round) {
    const int width = 5 + static_cast<int>(rng.below(90)),
              height = 1 + static_cast<int>(rng.below(70));
    const Image image = round % 3 == 0 ? noise(rng, width, height) : colourful(width, height);
    const auto chroma = static_cast<ChromaSubsampling>(round % 3);
    const int quality = 1 + static_cast<int>(rng.below(100));
    const std::string bytes = encode_jpeg(image, {.quality = quality, .subsampling = chroma});
    std::optional<Image> read = decoded_elsewhere(bytes);
    ASSERT_TRUE(read) << width << "x" << height << " quality " << quality;
    EXPECT_EQ(read->pixels, decode_image(bytes, "picture")->pixels)
        << width << "x" << height << " quality " << quality << " chroma " << round % 3;
  }
}

// Patterns of noise with contrast beyond what a picture has: sums that leave 8 bits.
TEST(JpegScan, AreKeptInRangeAsTheLibraryKeepsThem) {
  Rng rng(8);
  for (int round = 0; round < 60; ++round) {
    Image image = Image::blank(64, 48);
    for (uint8_t& byte : image.pixels) byte = rng.below(2) == 0 ? 0 : 255;
    const std::string bytes =
        encode_jpeg(image, {.quality = 1 + round, .subsampling = ChromaSubsampling::k420});
    std::optional<Image> read = decoded_elsewhere(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->pixels, decode_image(bytes, "picture")->pixels) << round;
  }
}

TEST(JpegScan, LeaveOtherPicturesToTheDecoder) {
  const Image image = colourful(40, 30);
  EXPECT_FALSE(decoded_elsewhere(encode_png(image)));
  EXPECT_FALSE(decoded_elsewhere(""));
  EXPECT_FALSE(decoded_elsewhere(encode_jpeg(colourful(4, 30))));
  const std::string whole = encode_jpeg(image);
  for (size_t size = 0; size < whole.size(); size += 7)
    EXPECT_FALSE(decoded_elsewhere(whole.substr(0, size)));
}

// A quantisation table of 255 everywhere makes coefficients that no encoder writes.
// Marks a restart after every unit of the file: encoded again with libjpeg itself.
std::string with_restarts(const Image& image, unsigned interval) {
  jpeg_compress_struct codec{};
  jpeg_error_mgr errors{};
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;  // NOLINT(google-runtime-int): libjpeg's
  jpeg_mem_dest(&codec, &bytes, &size);
  codec.image_width = static_cast<JDIMENSION>(image.width);
  codec.image_height = static_cast<JDIMENSION>(image.height);
  codec.input_components = 3;
  codec.in_color_space = JCS_RGB;
  jpeg_set_defaults(&codec);
  codec.restart_interval = interval;
  jpeg_start_compress(&codec, TRUE);
  for (int y = 0; y < image.height; ++y) {
    auto* row = const_cast<uint8_t*>(image.row(y).data());  // NOLINT(*-const-cast): libjpeg's
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  std::string file(reinterpret_cast<char*>(bytes), size);
  jpeg_destroy_compress(&codec);
  std::free(bytes);
  return file;
}

TEST(JpegScan, BeginAnewAtRestartMarkers) {
  for (unsigned interval = 1; interval < 25; ++interval) {
    const std::string bytes = with_restarts(colourful(100, 70), interval);
    std::optional<Image> read = decoded_elsewhere(bytes);
    ASSERT_TRUE(read) << interval;
    EXPECT_EQ(read->pixels, decode_image(bytes, "picture")->pixels) << interval;
  }
}

// Whatever a device takes of a damaged file is what the library makes of it.
TEST(JpegScan, AgreeWithTheLibraryOnDamagedFiles) {
  Rng rng(9);
  const std::array<std::string, 2> whole = {encode_jpeg(colourful(80, 60)),
                                            with_restarts(colourful(80, 60), 3)};
  for (int round = 0; round < 6000; ++round) {
    std::string bytes = whole[static_cast<size_t>(round % 2)];
    for (uint64_t i = 0; i < 1 + rng.below(3); ++i)
      bytes[rng.below(bytes.size())] = static_cast<char>(rng.below(256));
    std::optional<Image> read = decoded_elsewhere(bytes);
    if (!read) continue;
    Result<Image> expected = decode_image(bytes, "picture");
    ASSERT_TRUE(expected) << round;
    ASSERT_EQ(read->pixels, expected->pixels) << round;
  }
}

TEST(JpegScan, LeaveHostileCoefficientsToTheDecoder) {
  std::string bytes = encode_jpeg(colourful(64, 64), {.quality = 100});
  const size_t table = bytes.find("\xff\xdb");
  ASSERT_NE(table, std::string::npos);
  for (size_t i = 0; i < 64; ++i) bytes[table + 5 + i] = '\xff';
  EXPECT_FALSE(decoded_elsewhere(bytes));
  EXPECT_TRUE(decode_image(bytes, "picture"));
}

}  // namespace
}  // namespace snellen::media
