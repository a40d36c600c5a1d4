// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/plan.h"

#include "snellen/testing/small_coco.h"

namespace snellen::builders::probe_b {
namespace {

class ProbeBPlan : public SmallCoco {};

TEST_F(ProbeBPlan, ShowsClassesAloneThatAreLargeEnoughAndApart) {
  // 1200 pixels: the dog covers 100, the apple 4 (too small), the person touches the dog's edge.
  annotations::CocoInstances source(
      instances(1, {{1, 18, 0, 0, 10, 10}, {1, 53, 30, 20, 2, 2}, {1, 1, 10, 0, 10, 10}}));
  ImagePlan plan = plan_image(source, 0, {});
  EXPECT_EQ(plan.skip, "");
  ASSERT_EQ(plan.classes.size(), 3U);
  EXPECT_EQ(plan.classes[0].name, "dog");
  EXPECT_EQ(media::area_of(plan.classes[0].mask), 100U);
  EXPECT_EQ(media::area_of(plan.objects), 204U);
  EXPECT_TRUE(plan.classes[0].is_alone);
  EXPECT_FALSE(plan.classes[1].is_alone);
  EXPECT_TRUE(plan.classes[2].is_alone) << "boxes that touch do not overlap";
  EXPECT_EQ(cooccurrence_json(plan),
            R"({"image_id": 1, "object": "dog", "other_objects": ["apple", "person"], )"
            R"("path": "dog_COCO_val2014_000000000001.jpg"}, )"
            R"({"image_id": 1, "object": "person", "other_objects": ["dog", "apple"], )"
            R"("path": "person_COCO_val2014_000000000001.jpg"})");
}

TEST_F(ProbeBPlan, ShowsNothingAloneThatOverlapsOrHasNoCompany) {
  annotations::CocoInstances source(instances(
      2,
      {{1, 18, 0, 0, 10, 10}, {1, 1, 9, 9, 10, 10}, {2, 18, 0, 0, 10, 10}, {2, 18, 20, 0, 9, 9}}));
  for (size_t image : {0U, 1U}) {
    ImagePlan plan = plan_image(source, image, {});
    EXPECT_EQ(plan.skip, "");
    EXPECT_EQ(cooccurrence_json(plan), "");
  }
}

TEST_F(ProbeBPlan, LeavesOutImagesWithoutBackgroundOrPatch) {
  annotations::CocoInstances source(
      instances(3, {{2, 18, 0, 0, 40, 29}, {3, 18, 0, 0, 40, 13}, {3, 18, 0, 15, 40, 15}}));
  EXPECT_EQ(plan_image(source, 0, {}).skip, "no annotations");
  EXPECT_EQ(plan_image(source, 1, {}).skip, "background too small");
  EXPECT_EQ(plan_image(source, 2, {}).skip, "no patch position") << "two rows are left of 30";
}

TEST_F(ProbeBPlan, KeepsAnnotationsAsPythonWritesThem) {
  annotations::CocoInstances source(instances(1, {{1, 18, 0, 0, 10, 2.5}}));
  EXPECT_EQ(background_json(plan_image(source, 0, {})),
            R"({"image_id": 1, "image": "COCO_val2014_000000000001.jpg", "annotations": {"dog": [)"
            R"({"id": 1, "image_id": 1, "category_id": 18, "iscrowd": 0, "area": 25, )"
            R"("bbox": [0, 0, 10, 2.5], "segmentation": [[0, 0, 10, 0, 10, 2.5, 0, 2.5]]}]}})");
}

TEST_F(ProbeBPlan, NamesAnnotationsItCannotUse) {
  auto path = folder_ / "bad.json";
  write_text_file(path, R"({"images": [{"id": 1, "file_name": "a", "width": 4, "height": 3}],
      "categories": [{"id": 1, "name": "dog"}], "annotations": [
      {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 2],
       "segmentation": {"size": [3, 4], "counts": [12]}},
      {"id": 2, "image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 2],
       "segmentation": {"size": [3, 4], "counts": []}},
      {"id": 3, "image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 2],
       "segmentation": [[50, 50, 60, 50, 60, 60]]}]})");
  ImagePlan plan = plan_image(annotations::CocoInstances(path), 0, {});
  EXPECT_EQ(plan.bad_records.size(), 2U);
  ASSERT_EQ(plan.instances.size(), 1U) << "a polygon outside is clipped to nothing, as COCO does";
  EXPECT_EQ(plan.instances[0].id, 3);
}

}  // namespace
}  // namespace snellen::builders::probe_b
