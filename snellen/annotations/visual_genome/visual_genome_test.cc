// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visual_genome/visual_genome.h"

#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

std::filesystem::path file_with(std::string_view text) {
  auto path = std::filesystem::path(testing::TempDir()) /
              (std::string("vg_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  write_text_file(path, text);
  return path;
}

TEST(VisualGenome, ReadsNameOrTheFirstOfNames) {
  VgObjectsFile file(file_with(
      R"([{"image_id": 3, "objects": [{"name": "dog"}, {"names": ["cat", "pet"]},
          {"name": "", "names": ["sky"]}, {"names": []}, {}]}])"));
  Result<VgObjects> image = file.image(0);
  EXPECT_EQ(image->image_id, 3);
  EXPECT_EQ(image->names, (std::vector<std::string>{"dog", "cat", "sky", "", ""}));
}

TEST(VisualGenome, ReadsTriplesAsWritten) {
  VgRelationshipsFile file(file_with(
      R"([{"image_id": 3, "relationships": [{"predicate": "ON", "subject": {"name": "Dog"},
          "object": {"names": ["mat"]}}]}])"));
  Result<VgRelationships> image = file.image(0);
  ASSERT_EQ(image->relationships.size(), 1U);
  EXPECT_EQ(image->relationships[0].subject, "Dog");
  EXPECT_EQ(image->relationships[0].predicate, "ON");
  EXPECT_EQ(image->relationships[0].object, "mat");
}

TEST(VisualGenome, KeepsANullCocoIdApartFromANumber) {
  VgImageFile file(
      file_with(R"([{"image_id": 1, "coco_id": null}, {"image_id": 2, "coco_id": 7}])"));
  EXPECT_FALSE(file.image(0)->coco_id.has_value());
  EXPECT_EQ(file.image(1)->coco_id, 7);
}

TEST(VisualGenome, NamesFileAndRecordOfABadImage) {
  VgRelationshipsFile file(file_with(
      R"([{"image_id": 1, "relationships": []}, {"relationships": []}, {"image_id": 2}, 5,
          {"image_id": 4, "relationships": [{"subject": 3}]}, {"image_id": -4}])"));
  EXPECT_TRUE(file.image(0).is_ok());
  for (size_t i = 1; i < 6; ++i) {
    Result<VgRelationships> image = file.image(i);
    ASSERT_FALSE(image.is_ok()) << i;
    EXPECT_NE(image.error().where().find("record " + std::to_string(i)), std::string::npos);
  }
  EXPECT_FALSE(
      VgObjectsFile(file_with("[{\"image_id\": 1, \"objects\": [\"\xff\"]}]")).image(0).is_ok());
  EXPECT_THROW(VgObjectsFile(file_with("{}")), Error);
}

}  // namespace
}  // namespace snellen::annotations
