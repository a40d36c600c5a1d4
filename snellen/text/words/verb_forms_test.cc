// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/verb_forms.h"

#include <gtest/gtest.h>

namespace snellen::text {
namespace {

TEST(ThirdPerson, FollowsTheRulesOfSpelling) {
  EXPECT_EQ(third_person("cut"), "cuts");
  EXPECT_EQ(third_person("unscrew"), "unscrews");
  EXPECT_EQ(third_person("fix"), "fixes");
  EXPECT_EQ(third_person("wash"), "washes");
  EXPECT_EQ(third_person("attach"), "attaches");
  EXPECT_EQ(third_person("press"), "presses");
  EXPECT_EQ(third_person("empty"), "empties");
  EXPECT_EQ(third_person("spray"), "sprays");
  EXPECT_EQ(third_person("go"), "goes");
  EXPECT_EQ(third_person("tattoo"), "tattoos");
  EXPECT_EQ(third_person("ski"), "skis");
}

TEST(ThirdPerson, KnowsWhatTheRulesGetWrong) {
  EXPECT_EQ(third_person("have"), "has");
  EXPECT_EQ(third_person("be"), "is");
  EXPECT_EQ(third_person("quiz"), "quizzes");
  EXPECT_EQ(third_person(""), "");
}

TEST(Gerund, DoublesTheLastLetterOfShortVerbs) {
  EXPECT_EQ(gerund("cut"), "cutting");
  EXPECT_EQ(gerund("quit"), "quitting");
  EXPECT_EQ(gerund("shed"), "shedding");
  EXPECT_EQ(gerund("unplug"), "unplugging");
  EXPECT_EQ(gerund("unwrap"), "unwrapping");
  EXPECT_EQ(gerund("begin"), "beginning");
  EXPECT_EQ(gerund("control"), "controlling");
  EXPECT_EQ(gerund("travel"), "travelling");
}

TEST(Gerund, LeavesOthersAsTheyAre) {
  EXPECT_EQ(gerund("open"), "opening");
  EXPECT_EQ(gerund("hammer"), "hammering");
  EXPECT_EQ(gerund("deseed"), "deseeding");
  EXPECT_EQ(gerund("fix"), "fixing");
  EXPECT_EQ(gerund("throw"), "throwing");
  EXPECT_EQ(gerund("spray"), "spraying");
  EXPECT_EQ(gerund("fry"), "frying");
  EXPECT_EQ(gerund("weigh"), "weighing");
  EXPECT_EQ(gerund("dial"), "dialing");
  EXPECT_EQ(gerund("reckon"), "reckoning");
}

TEST(Gerund, DropsASilentE) {
  EXPECT_EQ(gerund("microwave"), "microwaving");
  EXPECT_EQ(gerund("measure"), "measuring");
  EXPECT_EQ(gerund("squeeze"), "squeezing");
  EXPECT_EQ(gerund("see"), "seeing");
  EXPECT_EQ(gerund("hoe"), "hoeing");
  EXPECT_EQ(gerund("dye"), "dyeing");
  EXPECT_EQ(gerund("lie"), "lying");
  EXPECT_EQ(gerund("panic"), "panicking");
  EXPECT_EQ(gerund(""), "");
}

}  // namespace
}  // namespace snellen::text
