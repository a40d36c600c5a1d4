// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/composite.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "snellen/media/masks/fillers.h"

namespace snellen::media {
namespace {

Image counting(int width, int height) {
  Image image = Image::blank(width, height);
  for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(i + 1);
  return image;
}

TEST(Composite, KeepsMarkedPixelsAndFillsTheRest) {
  Mask mask = Mask::blank(3, 2);
  mask.bits = {0, 1, 1, 1, 0, 1};
  Image out = keep_marked(counting(3, 2), mask, solid_canvas(3, 2, 200));
  EXPECT_EQ(out.pixels,
            (std::vector<uint8_t>{
                200, 200, 200, 4, 5, 6, 7, 8, 9, 10, 11, 12, 200, 200, 200, 16, 17, 18}));
}

TEST(Composite, APatchShowsTheCanvasAtItsOwnPlace) {
  Image canvas = counting(3, 2);
  Image out = paste_patch(solid_canvas(3, 2, 0), {.x = 1, .y = 1, .width = 2, .height = 1}, canvas);
  EXPECT_EQ(out.pixels,
            (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 14, 15, 16, 17, 18}));
}

TEST(Patch, IsDrawnWhereNothingIsMarked) {
  Mask mask = Mask::blank(10, 10);
  std::fill(mask.bits.begin(), mask.bits.end(), uint8_t{1});
  // One free place of 2 x 2, the size of scale 0.20.
  for (int y : {3, 4}) {
    for (size_t x : {6UL, 7UL}) mask.row(y)[x] = 0;
  }
  std::optional<Patch> patch = draw_patch(mask, Rng("0|probe-b-patch|1"));
  ASSERT_TRUE(patch);
  EXPECT_EQ(patch->place, (PatchPlace{.x = 6, .y = 3, .width = 2, .height = 2}));
  EXPECT_EQ(patch->num_positions, 1u);
}

TEST(Patch, FallsBackToSmallerOnesAndThenToNone) {
  Mask mask = Mask::blank(10, 10);
  std::fill(mask.bits.begin(), mask.bits.end(), uint8_t{1});
  EXPECT_FALSE(draw_patch(mask, Rng("0|probe-b-patch|1")));
  mask.row(9)[9] = 0;
  std::optional<Patch> patch = draw_patch(mask, Rng("0|probe-b-patch|1"));
  ASSERT_TRUE(patch);
  EXPECT_EQ(patch->place, (PatchPlace{.x = 9, .y = 9, .width = 1, .height = 1}));
}

TEST(Fillers, HaveNames) {
  for (Filler filler : {Filler::kBlack, Filler::kGray, Filler::kNoise, Filler::kScene})
    EXPECT_EQ(*filler_of(name_of(filler)), filler);
  EXPECT_EQ(filler_of("grey").error().hint(), "did you mean 'gray'?");
}

TEST(Fillers, ASceneCoversTheCanvasAndIsCroppedAtItsCentre) {
  // 6 wide, 2 high, columns 0, 40, 80, ...; a canvas of 2 x 2 shows the two in the middle.
  Image scene = Image::blank(6, 2);
  for (int y = 0; y < 2; ++y) {
    for (size_t i = 0; i < 18; ++i) scene.row(y)[i] = static_cast<uint8_t>(i / 3 * 40);
  }
  Image canvas = scene_canvas(scene, 2, 2);
  EXPECT_EQ(canvas.pixels,
            (std::vector<uint8_t>{80, 80, 80, 120, 120, 120, 80, 80, 80, 120, 120, 120}));
  for (int width : {1, 3, 7, 40}) {
    for (int height : {1, 2, 5, 33}) {
      Image any = scene_canvas(scene, width, height);
      EXPECT_EQ(any.width, width);
      EXPECT_EQ(any.height, height);
    }
  }
}

TEST(Fillers, NoiseIsTheSameForTheSameStream) {
  Image canvas = noise_canvas(40, 30, Rng("0|probe-b-noise|7"));
  EXPECT_EQ(canvas, noise_canvas(40, 30, Rng("0|probe-b-noise|7")));
  EXPECT_NE(canvas, noise_canvas(40, 30, Rng("0|probe-b-noise|8")));
  double sum = 0;
  for (uint8_t value : canvas.pixels) sum += value;
  EXPECT_NEAR(sum / 3600, 127.5, 5);  // standard error about 1
}

TEST(Fillers, NoiseIsMadeOfTheStreamsOwnNormals) {
  for (int width : {1, 37, 500}) {
    Rng stream("3|probe-b-noise|7");
    Image canvas = noise_canvas(width, 41, stream);
    for (uint8_t value : canvas.pixels) {
      double drawn = std::floor(127.5 + 64.0 * stream.gauss() + .5);
      ASSERT_EQ(value, static_cast<uint8_t>(std::clamp(drawn, 0.0, 255.0)));
    }
  }
}

}  // namespace
}  // namespace snellen::media
