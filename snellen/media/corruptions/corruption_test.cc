// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/corruption.h"

#include <set>

#include <gtest/gtest.h>

#include "snellen/media/corruptions/noise.h"

namespace snellen::media {
namespace {

Image counting(int width, int height) {
  Image image = Image::blank(width, height);
  for (size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<uint8_t>(i * 37 % 251);
  return image;
}

TEST(Corruption, IsWrittenAsNameAndParameter) {
  EXPECT_EQ(corruption_of("gauss:1e2")->name(), "gauss:100");
  EXPECT_EQ(corruption_of("blur:0.5")->name(), "blur:0.5");
  EXPECT_EQ(corruption_of("gray")->name(), "gray");
  EXPECT_EQ(corruption_of("patchshuffle:4")->parameter(), 4);
}

TEST(Corruption, ALevelOfTheControlIsItsNoise) {
  const Image picture = counting(8, 8);
  SplitMixStream stream(NoiseKey{.seed = 3, .image_id = "p", .level = "e2", .replicate = 1});
  const Image noise = noised(picture, NoiseKind::kGaussian, NoiseRule::kOurs, 100, stream);
  EXPECT_EQ(corruption_of("e2")->name(), "e2");
  EXPECT_EQ(corrupted(*corruption_of("e2"), picture, {.seed = 3, .image_id = "p", .replicate = 1})
                ->pixels,
            noise.pixels);
  EXPECT_EQ(corruption_of("s25")->parameter(), 25);
  EXPECT_FALSE(corruption_of("e7"));
}

TEST(Corruption, BadSpellingsSayWhatToWrite) {
  EXPECT_EQ(corruption_of("gaus:100").error().hint(), "did you mean 'gauss'?");
  EXPECT_EQ(corruption_of("gauss").error().hint(), "write gauss:SIGMA with 0 <= SIGMA <= 1000000");
  EXPECT_EQ(corruption_of("gray:3").error().message(), "'gray' takes no parameter");
  for (const char* bad : {"",
                          ":",
                          "gauss:",
                          "gauss:x",
                          "gauss:1 ",
                          "gauss:-1",
                          "gauss:nan",
                          "gauss:inf",
                          "blur:0",
                          "patchshuffle:2.5",
                          "patchshuffle:0",
                          "occlude:1.1",
                          "gauss:1:2",
                          "gray:"}) {
    EXPECT_FALSE(corruption_of(bad)) << bad;
    EXPECT_EQ(corruption_of(bad).error().code(), ErrorCode::kUsage);
  }
}

TEST(Corruption, NamesAreUniqueAndEveryPixelOneApplies) {
  std::set<std::string_view> names;
  Image picture = counting(12, 9);
  for (const CorruptionFacts& facts : corruption_catalogue()) {
    EXPECT_TRUE(names.insert(facts.name).second) << facts.name;
    std::string text(facts.name);
    if (facts.parameter) text += facts.parameter->is_whole ? ":2" : ":0.5";
    Corruption corruption = *corruption_of(text);
    Result<Image> out = corrupted(corruption, picture, {.seed = 1, .image_id = "x"});
    EXPECT_EQ(out.is_ok(), facts.shows == Shows::kPixels) << text;
    if (!out) continue;
    EXPECT_EQ(out->width, 12);
    EXPECT_EQ(out->pixels.size(), picture.pixels.size());
    EXPECT_EQ(*out, *corrupted(corruption, picture, {.seed = 1, .image_id = "x"})) << text;
  }
}

TEST(Corruption, TheDrawDependsOnSeedPictureAndReplicate) {
  Corruption corruption = *corruption_of("gauss:50");
  Image picture = counting(12, 9);
  Image base = *corrupted(corruption, picture, {.seed = 1, .image_id = "x"});
  EXPECT_NE(base, *corrupted(corruption, picture, {.seed = 2, .image_id = "x"}));
  EXPECT_NE(base, *corrupted(corruption, picture, {.seed = 1, .image_id = "y"}));
  EXPECT_NE(base, *corrupted(corruption, picture, {.seed = 1, .image_id = "x", .replicate = 1}));
}

}  // namespace
}  // namespace snellen::media
