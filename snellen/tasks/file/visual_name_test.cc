// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/file/visual_name.h"

#include <gtest/gtest.h>

namespace snellen::tasks::file {
namespace {

TEST(VisualName, OfAPlainPictureIsItsPath) {
  EXPECT_EQ(visual_name({.path = "a b/#1.jpg"}), "a b/#1.jpg");
}

TEST(VisualName, BringsBackClipsAndCorruptions) {
  const std::vector<annotations::ItemVisual> visuals = {
      {.path = "a.jpg"},
      {.path = "a.mp4", .is_clip = true},
      {.path = "a.mp4", .is_clip = true, .start = 1.25},
      {.path = "a.mp4", .is_clip = true, .start = 0, .end = 1e-3, .counts_frames = true},
      {.path = "a,t=1.jpg", .corruption = "gauss:100", .replicate = 12},
      {.path = "a.jpg", .crop = std::array<int32_t, 4>{-3, 0, 64, 12}, .corruption = "gray"},
      {.path = "a.webm", .is_clip = true, .end = 2, .corruption = "gray"}};
  for (const annotations::ItemVisual& visual : visuals) {
    annotations::ItemVisual back = visual_of_name(visual_name(visual));
    EXPECT_EQ(back.path, visual.path);
    EXPECT_EQ(back.is_clip, visual.is_clip);
    EXPECT_EQ(back.start, visual.start);
    EXPECT_EQ(back.end, visual.end);
    EXPECT_EQ(back.counts_frames, visual.counts_frames);
    EXPECT_EQ(back.crop, visual.crop);
    EXPECT_EQ(back.corruption, visual.corruption);
    EXPECT_EQ(back.replicate, visual.replicate);
  }
}

}  // namespace
}  // namespace snellen::tasks::file
