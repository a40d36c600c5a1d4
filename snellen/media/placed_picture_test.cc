// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/placed_picture.h"

#include <gtest/gtest.h>

#include "snellen/media/corruptions/corruption.h"

namespace snellen::media {
namespace {

TEST(PlacedPicture, IsLeftAloneWithoutAChange) {
  VisualPlace place{.path = "a.jpg"};
  EXPECT_EQ(change_key(place), "");
  EXPECT_EQ(*as_placed(Image::blank(3, 2), place), Image::blank(3, 2));
}

TEST(PlacedPicture, IsCroppedBeforeItIsCorrupted) {
  VisualPlace place{.path = "a.jpg"};
  place.crop = CropBox{1, 0, 2, 2};
  place.corruption = PlacedCorruption{.name = "gauss:100", .seed = 3, .image_id = "a.jpg"};
  Image want =
      corrupted(
          corruption_of("gauss:100").value(), Image::blank(2, 2), {.seed = 3, .image_id = "a.jpg"})
          .value();
  EXPECT_EQ(*as_placed(Image::blank(4, 2), place), want);
  // Another frame, another draw.
  EXPECT_NE(*as_placed(Image::blank(4, 2), place, 1), want);
}

TEST(PlacedPicture, TellsChangesApart) {
  VisualPlace one{.path = "a.jpg"};
  one.corruption = PlacedCorruption{.name = "gauss:100", .image_id = "a.jpg"};
  VisualPlace other = one;
  other.corruption->replicate = 1;
  VisualPlace cut = one;
  cut.crop = CropBox{0, 0, 1, 1};
  EXPECT_NE(change_key(one), change_key(other));
  EXPECT_NE(change_key(one), change_key(cut));
}

TEST(PlacedPicture, IsCorruptedByTheTaskFirstAndByTheControlThen) {
  VisualPlace place{.path = "a.jpg"};
  place.first_corruption = PlacedCorruption{.name = "white", .image_id = "a.jpg"};
  place.corruption = PlacedCorruption{.name = "occlude:1", .image_id = "a.jpg"};
  EXPECT_EQ(as_placed(Image::blank(2, 2), place)->pixels, std::vector<uint8_t>(12, 128));
  VisualPlace only = place;
  only.first_corruption.reset();
  EXPECT_NE(change_key(place), change_key(only));
}

TEST(PlacedPicture, ShowsNothingOnlyUnderNone) {
  VisualPlace place{.path = "a.jpg"};
  EXPECT_FALSE(shows_no_picture(place));
  place.corruption = PlacedCorruption{.name = "gray", .image_id = "a.jpg"};
  EXPECT_FALSE(shows_no_picture(place));
  place.corruption->name = "none";
  EXPECT_TRUE(shows_no_picture(place));
}

TEST(PlacedPicture, LeavesTheFramesOfAClipAndChangesTheirOrder) {
  VisualPlace place{.path = "a.mp4", .clip = ClipWindow{}, .frames = {1, 3, 5}};
  place.corruption = PlacedCorruption{.name = "reverse", .image_id = "a"};
  const std::vector<double> seconds(6, 0.0);
  EXPECT_EQ(frames_as_placed(place, 8)(seconds), (FrameIndices{5, 3, 1}));
  EXPECT_EQ(*as_placed(Image::blank(2, 2), place, 0), Image::blank(2, 2));
  // A picture has no order.
  VisualPlace still{.path = "a.jpg"};
  still.corruption = place.corruption;
  EXPECT_FALSE(as_placed(Image::blank(2, 2), still));
}

}  // namespace
}  // namespace snellen::media
