// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/coco/coco_instances.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

CocoInstances instances_of(std::string_view images, std::string_view annotations) {
  auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string("instances_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  write_text_file(path,
                  fmt::format(R"({{"images": [{}], "annotations": [{}],
                                   "categories": [{{"id": 18, "name": "dog"}}]}})",
                              images,
                              annotations));
  return CocoInstances(path);
}

constexpr const char* kTwo = R"({"id": 7, "file_name": "b.jpg", "width": 4, "height": 3},
                                {"id": 5, "file_name": "a.jpg", "width": 4, "height": 3})";

TEST(CocoInstances, GroupsAnnotationsByImageInFileOrder) {
  CocoInstances instances = instances_of(
      kTwo,
      R"({"id": 1, "image_id": 7, "category_id": 18, "bbox": [0, 0, 2, 1.50], "segmentation": [[1, 2.50]]},
         {"id": 2, "image_id": 5, "category_id": 18, "bbox": [0, 0, 2, 2], "segmentation": []},
         {"id": 3, "image_id": 7, "category_id": 18, "bbox": [0, 0, 2, 2], "segmentation": []})");
  ASSERT_EQ(instances.images().size(), 2U);
  EXPECT_EQ(instances.images()[0].id, 5);
  EXPECT_EQ(instances.instances_of(0), (std::vector<uint32_t>{1}));
  EXPECT_EQ(instances.instances_of(1), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(*instances.category(18), "dog");
  EXPECT_EQ(instances.category(1), nullptr);
  Result<CocoInstance> first = instances.instance(0);
  EXPECT_EQ(first->box[3], 1.5);
  EXPECT_EQ(first->segmentation, "[[1,2.5]]");
  EXPECT_EQ(first->json,
            R"({"id": 1, "image_id": 7, "category_id": 18, "bbox": [0, 0, 2, 1.5], )"
            R"("segmentation": [[1, 2.5]]})");
  EXPECT_TRUE(instances.bad_records().empty());
}

TEST(CocoInstances, LeavesOutAndNamesBadRecords) {
  CocoInstances instances = instances_of(
      std::string(kTwo) +
          R"(, {"id": 5, "file_name": "c.jpg", "width": 4, "height": 3},
             {"id": 8, "file_name": "../c.jpg", "width": 4, "height": 3},
             {"id": 9, "file_name": "c.jpg", "width": 0, "height": 3})",
      R"({"id": 1, "image_id": 5, "category_id": 18, "bbox": [0, 0, 2, 0], "segmentation": []},
         {"id": 1, "image_id": 5, "category_id": 18, "bbox": [0, 0, 2, 2], "segmentation": []},
         {"id": 2, "image_id": 6, "category_id": 18, "bbox": [0, 0, 2, 2], "segmentation": []},
         {"id": 3, "image_id": 5, "category_id": 99, "bbox": [0, 0, 2, 2], "segmentation": []},
         {"id": 4, "image_id": 5, "category_id": 18, "bbox": [0, 0], "segmentation": []})");
  EXPECT_EQ(instances.images().size(), 2U);
  EXPECT_EQ(instances.bad_records().size(), 5U);
  EXPECT_NE(instances.instance(0).error().message().find("no area"), std::string::npos);
  EXPECT_NE(instances.instance(3).error().message().find("category 99"), std::string::npos);
  EXPECT_FALSE(instances.instance(4).is_ok());
}

}  // namespace
}  // namespace snellen::annotations
