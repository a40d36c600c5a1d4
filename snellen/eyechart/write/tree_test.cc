// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/tree.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/eyechart/write/genome_rows.h"
#include "snellen/media/video/numbered_video.h"

namespace snellen::eyechart {
namespace {

// No clips: they have a test of their own.
TreeSize still_size() {
  TreeSize size;
  size.scenes = 12;
  size.backdrops = 2;
  size.train_dialogs = 2;
  size.val_dialogs = 1;
  size.bias_pictures = 1;
  return size;
}

void build(const std::filesystem::path& out, uint64_t seed) {
  Tree tree(out, seed, still_size());
  for (uint64_t step = 0; step < tree.num_steps(); ++step) tree.take(tree.make(step));
  tree.finish();
}

TEST(Tree, PutsPicturesWhereTheReadersLook) {
  const media::ScratchFolder folder;
  build(folder / "out", 0);
  for (const char* file : {"coco/train2014/COCO_train2014_000000000001.jpg",
                           "coco/val2014/COCO_val2014_000000000003.jpg",
                           "visual_genome/VG_100K/2300006.jpg",
                           "visual_genome/VG_100K/2300010.jpg",
                           "visdial/VisualDialog_train2018/VisualDialog_train2018_000000000001.jpg",
                           "visdial/VisualDialog_val2018/VisualDialog_val2018_000000000003.jpg",
                           "scenes/outdoor_000.jpg",
                           "bias/close-ended/images/0_shirt.jpg",
                           "bias/questions.jsonl",
                           "vilma/relations.json",
                           "contrasts/direction.jsonl",
                           "contrasts/binding.jsonl",
                           "splits/test.txt"}) {
    EXPECT_TRUE(std::filesystem::is_regular_file(folder / "out" / file)) << file;
  }
}

TEST(Tree, RefusesAFolderWithAnotherWorld) {
  const media::ScratchFolder folder;
  build(folder / "out", 0);
  EXPECT_NO_THROW(build(folder / "out", 0));
  EXPECT_THROW(build(folder / "out", 1), Error);
}

TEST(Tree, RemovesWhatAKilledRunLeftAndNobodyElsesFiles) {
  const media::ScratchFolder folder;
  const auto ours = half_written_path(folder / "out" / "scenes/indoor_007.jpg");
  const auto another_run = half_written_path(folder / "out" / "runs/run.json");
  write_text_file(ours, "half");
  write_text_file(another_run, "half");
  write_text_file(folder / "out" / "scenes/gear.part", "theirs");
  write_text_file(folder / "out" / "Downloads/thesis.zip.part", "theirs");
  build(folder / "out", 0);
  EXPECT_FALSE(std::filesystem::exists(ours));
  EXPECT_TRUE(std::filesystem::exists(another_run));
  EXPECT_TRUE(std::filesystem::exists(folder / "out" / "scenes/gear.part"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out" / "Downloads/thesis.zip.part"));
}

TEST(Tree, IsWrittenByOneProcessAtATime) {
  const media::ScratchFolder folder;
  Tree tree(folder / "out", 0, still_size());
  EXPECT_THROW(Tree(folder / "out", 0, still_size()), Error);
}

TEST(TreePlan, GivesEverySceneOnePlaceAndSomeTwo) {
  EXPECT_EQ(source_of(1), Source::kCocoTrain);
  EXPECT_EQ(source_of(3), Source::kCocoVal);
  EXPECT_EQ(source_of(6), Source::kGenome);
  EXPECT_TRUE(is_in_genome(10));
  EXPECT_FALSE(is_in_genome(1));
  EXPECT_FALSE(rules_of(0, 1).has_habits);
  EXPECT_TRUE(rules_of(0, 6).has_habits);
  EXPECT_EQ(tree_size("full")->scenes, 20000U);
  EXPECT_EQ(tree_size("full")->clips(), 902U);
  EXPECT_FALSE(tree_size("huge"));
}

}  // namespace
}  // namespace snellen::eyechart
