// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/coco/coco_captions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

std::filesystem::path file_with(std::string_view annotations) {
  auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string("captions_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  write_text_file(path, fmt::format(R"({{"images": [], "annotations": [{}]}})", annotations));
  return path;
}

TEST(CocoCaptions, ReadsOneCaptionAtATime) {
  CocoCaptionsFile file(file_with(R"({"image_id": 4, "id": 9, "caption": "A dog."})"));
  ASSERT_EQ(file.elements().size(), 1U);
  EXPECT_EQ(file.caption(0)->image_id, 4);
  EXPECT_EQ(file.caption(0)->id, 9);
  EXPECT_EQ(file.caption(0)->caption, "A dog.");
}

TEST(CocoCaptions, RefusesWhatIsNoCaption) {
  std::string huge(100'000, 'a');
  CocoCaptionsFile file(
      file_with(fmt::format("{{\"image_id\": 1, \"id\": 1, \"caption\": \"{}\"}}, {{\"id\": 2}}, "
                            "{{\"image_id\": 1, \"id\": 3, \"caption\": \"\xff\"}}",
                            huge)));
  EXPECT_NE(file.caption(0).error().message().find("100000 bytes"), std::string::npos);
  EXPECT_FALSE(file.caption(1).is_ok());
  EXPECT_FALSE(file.caption(2).is_ok());
}

}  // namespace
}  // namespace snellen::annotations
