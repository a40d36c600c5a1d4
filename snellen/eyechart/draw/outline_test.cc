// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/outline.h"

#include <gtest/gtest.h>

#include "snellen/eyechart/world/render.h"
#include "snellen/media/masks/polygon.h"

namespace snellen::eyechart {
namespace {

media::Mask mask_of_rows(const std::vector<std::string>& rows) {
  media::Mask mask =
      media::Mask::blank(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  for (size_t y = 0; y < rows.size(); ++y) {
    for (size_t x = 0; x < rows[y].size(); ++x)
      mask.row(static_cast<int>(y))[x] = rows[y][x] == '#' ? 1 : 0;
  }
  return mask;
}

TEST(Outlines, WalkAroundASquareClockwise) {
  const auto outlines =
      outlines_of(mask_of_rows({".....", ".###.", ".###.", ".###.", "....."}), 0.75, 1);
  ASSERT_EQ(outlines.size(), 1U);
  EXPECT_EQ(outlines[0], (std::vector<PixelPoint>{{1, 1}, {4, 1}, {4, 4}, {1, 4}}));
}

TEST(Outlines, KeepPiecesThatTouchOnlyAtACornerApart) {
  const auto outlines = outlines_of(mask_of_rows({"##..", "##..", "..##", "..##"}), 0.75, 1);
  ASSERT_EQ(outlines.size(), 2U);
  EXPECT_EQ(outlines[0].size(), 4U);
}

TEST(Outlines, FillHolesAndDropCrumbs) {
  const auto outlines =
      outlines_of(mask_of_rows({"####.", "#..#.", "#..#.", "####.", "....#"}), 0.75, 4);
  ASSERT_EQ(outlines.size(), 1U);
  EXPECT_EQ(outlines[0], (std::vector<PixelPoint>{{0, 0}, {4, 0}, {4, 4}, {0, 4}}));
}

TEST(Outlines, OfNothingAreNone) {
  EXPECT_TRUE(outlines_of(media::Mask::blank(8, 8)).empty());
}

// What COCO's library makes of the polygons is what is seen, but for a seam of a pixel.
TEST(Outlines, GiveBackRenderedThings) {
  for (uint64_t id = 1; id <= 6; ++id) {
    const Picture picture = render(draw_scene({}, id));
    for (const media::Mask& mask : picture.visible) {
      const uint64_t seen = media::area_of(mask);
      if (seen < 400) continue;
      std::vector<media::Rle> filled;
      for (const auto& outline : outlines_of(mask)) {
        std::vector<double> xy;
        for (const PixelPoint& p : outline) {
          xy.push_back(p.x);
          xy.push_back(p.y);
        }
        filled.push_back(media::rle_of_polygon(xy, mask.height, mask.width).value());
      }
      ASSERT_FALSE(filled.empty());
      const std::vector<media::Rle> pair = {media::merge(filled), media::rle_of(mask)};
      const uint64_t common = media::area_of(media::merge(pair, media::MergeRule::kIntersection));
      EXPECT_GE(static_cast<double>(common), 0.93 * static_cast<double>(seen));
    }
  }
}

}  // namespace
}  // namespace snellen::eyechart
