// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/world_probe.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "snellen/eyechart/world/direction_pair.h"
#include "snellen/eyechart/world/nouns.h"

namespace snellen::training {
namespace {

TEST(WorldProbe, AsksEveryKindOfManyScenesAndAtMostOncePerScene) {
  auto source = world_probe({.seed = 7, .num_scenes = 60});
  std::map<std::string, std::set<std::string>> scenes;
  std::set<std::string> kinds;
  for (uint64_t i = 0; i < source->size(); ++i) {
    ProbeQuestion question = source->question(i).value();
    EXPECT_TRUE(scenes[question.probes.at(0)].insert(question.visuals.at(0).name).second);
    if (question.probes.size() == 3) {
      EXPECT_EQ(question.probes[1], "direction");
      kinds.insert(question.probes[2]);
    }
    if (question.probes[0] == "naming") {
      EXPECT_EQ(question.texts.size(), eyechart::nouns().size());
      continue;
    }
    ASSERT_EQ(question.texts.size(), 2U);
    EXPECT_NE(question.texts[0].prompt, question.texts[1].prompt);
    EXPECT_EQ(*question.judge({.values = {0.5, 0.25}}), Verdict::kRight);
    EXPECT_EQ(*question.judge({.values = {0.25, 0.25}}), Verdict::kTied);
  }
  EXPECT_EQ(scenes.size(), 5U);
  EXPECT_EQ(kinds.size(), eyechart::kNumDirectionKinds);
  EXPECT_EQ(scenes["naming"].size(), 60U);
  for (const char* name : {"predicate", "opposite", "exchanged", "colours"})
    EXPECT_GT(scenes[name].size(), 15U) << name;
}

TEST(WorldProbe, ShowsTheSceneItAsksAbout) {
  auto source = world_probe({.seed = 7, .num_scenes = 2, .is_naming_alone = true});
  ASSERT_EQ(source->size(), 2U);
  auto draw = [&](uint64_t index) {
    return source->question(index)->visuals.at(0).drawn()->draw().value();
  };
  EXPECT_EQ(draw(0), draw(0));
  EXPECT_NE(draw(0), draw(1));
  EXPECT_NE(source->question(0)->visuals.at(0).drawn()->key,
            source->question(1)->visuals.at(0).drawn()->key);
}

}  // namespace
}  // namespace snellen::training
