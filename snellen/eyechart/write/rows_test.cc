// SPDX-License-Identifier: Apache-2.0
// What the writers write is what the published files hold.
#include <map>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "snellen/eyechart/world/bias_scene.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/write/coco_rows.h"
#include "snellen/eyechart/write/genome_rows.h"
#include "snellen/eyechart/write/tree.h"
#include "snellen/media/masks/segmentation.h"

namespace snellen::eyechart {
namespace {

using Json = nlohmann::json;

TEST(CocoRows, UseCocosCategoryIds) {
  EXPECT_EQ(coco_category_id("person"), 1);
  EXPECT_EQ(coco_category_id("stop sign"), 13);
  EXPECT_EQ(coco_category_id("dining table"), 67);
  EXPECT_EQ(coco_category_id("toilet"), 70);
  EXPECT_EQ(coco_category_id("toothbrush"), 90);
  EXPECT_EQ(coco_category_id("hat"), std::nullopt);
  const Json all = Json::parse(coco_head() + "],\"annotations\":[" + coco_instances_tail());
  EXPECT_EQ(all["categories"].size(), 80U);
}

TEST(CocoRows, DescribeMasksThatOurReaderFills) {
  size_t num_crowds = 0;
  for (uint64_t id = 1; id <= 40; ++id) {
    const Scene scene = draw_scene(rules_of(0, id), id);
    for (const std::string& text : coco_instance_rows(scene, render(scene))) {
      const Json row = Json::parse(text);
      num_crowds += row["iscrowd"].get<size_t>();
      const media::Rle rle =
          media::rle_of_segmentation(row["segmentation"].dump(), kPictureSide, kPictureSide)
              .value();
      EXPECT_EQ(static_cast<double>(media::area_of(rle)), row["area"].get<double>());
      EXPECT_GT(row["bbox"][2].get<double>(), 0);
    }
  }
  EXPECT_GT(num_crowds, 0U);
}

TEST(GenomeRows, NameThePairAndThePredicate) {
  const Scene scene = draw_scene(rules_of(0, 6), 6);
  const GenomeRows rows = genome_rows(scene, render(scene), 0, std::nullopt);
  const Json relationships = Json::parse(rows.relationships);
  ASSERT_GE(relationships["relationships"].size(), 1U);
  const Json& first = relationships["relationships"][0];
  EXPECT_TRUE(first["subject"].contains("name"));
  EXPECT_TRUE(first["object"]["merged_object_ids"].is_array());
  EXPECT_FALSE(first["predicate"].get<std::string>().empty());
  const Json objects = Json::parse(rows.objects);
  EXPECT_EQ(objects["objects"].size(), scene.things.size());
  EXPECT_TRUE(objects["objects"][0]["names"].is_array());
  EXPECT_TRUE(Json::parse(rows.image_data)["coco_id"].is_null());
  EXPECT_EQ(Json::parse(genome_rows(scene, render(scene), 0, 6).image_data)["coco_id"], 6);
}

TEST(BiasRows, GoToEveryFileWithTheKeysOfTheBenchmark) {
  const BiasPicture picture = draw_bias_picture(0, 3);
  std::map<std::string, int> counts;
  for (const BiasRow& row : picture.rows) {
    const Json json = Json::parse(row.text);
    ++counts[row.file];
    if (row.file.starts_with("open_ended")) continue;
    for (const char* key : {"idx",
                            "category",
                            "condition",
                            "context",
                            "question",
                            "ans0",
                            "ans1",
                            "ans2",
                            "label",
                            "image_path"}) {
      EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["condition"] == "ambig", json["label"] == 2);
  }
  for (const std::string& file : bias_files()) EXPECT_GT(counts[file], 0) << file;
  for (const std::string& line : picture.control_lines)
    EXPECT_EQ(Json::parse(line)["options"].size(), 3U);
}

}  // namespace
}  // namespace snellen::eyechart
