// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/world_probe.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "snellen/eyechart/world/nouns.h"

namespace snellen::training {
namespace {

media::ImageProcessor small_processor() {
  media::ProcessorConfig config;
  config.resize = media::ResizeRule::kExact;
  config.height = config.width = 16;
  return media::ImageProcessor(config);
}

TEST(WorldProbe, AsksEveryKindOfManyScenesAndAtMostOncePerScene) {
  media::ImageProcessor processor = small_processor();
  auto source = world_probe({.seed = 7, .num_scenes = 60}, processor);
  std::map<std::string, std::set<std::string>> scenes;
  for (uint64_t i = 0; i < source->size(); ++i) {
    ProbeQuestion question = source->question(i).value();
    ASSERT_EQ(question.probes.size(), 1U);
    EXPECT_TRUE(scenes[question.probes[0]].insert(question.pictures.at(0)).second);
    if (question.probes[0] == "naming") {
      EXPECT_EQ(question.texts.size(), eyechart::nouns().size());
      continue;
    }
    ASSERT_EQ(question.texts.size(), 2U);
    EXPECT_NE(question.texts[0], question.texts[1]);
    EXPECT_EQ(*question.judge(std::vector{0.5, 0.25}), Verdict::kRight);
    EXPECT_EQ(*question.judge(std::vector{0.25, 0.25}), Verdict::kTied);
  }
  EXPECT_EQ(scenes.size(), 5U);
  EXPECT_EQ(scenes["naming"].size(), 60U);
  for (const char* name : {"predicate", "opposite", "exchanged", "colours"})
    EXPECT_GT(scenes[name].size(), 15U) << name;
}

TEST(WorldProbe, ShowsTheSceneItAsksAbout) {
  media::ImageProcessor processor = small_processor();
  auto source = world_probe({.seed = 7, .num_scenes = 2, .is_naming_alone = true}, processor);
  ASSERT_EQ(source->size(), 2U);
  std::string first = source->question(0)->pictures.at(0),
              second = source->question(1)->pictures.at(0);
  EXPECT_EQ(source->picture(first).value(), source->picture(first).value());
  EXPECT_NE(source->picture(first).value(), source->picture(second).value());
  EXPECT_EQ(source->picture(first)->width, 16);
}

}  // namespace
}  // namespace snellen::training
