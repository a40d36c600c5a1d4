// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/proposed_foils.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::builders::vilma {
namespace {

using testing::ElementsAre;

std::vector<std::string> masked(std::string_view sentence) {
  std::vector<std::string> all;
  for (const WordGap& gap : object_gaps(sentence)) all.push_back(gap.sentence);
  return all;
}

annotations::QuvaVideo video(const char* id, const char* category, std::string text) {
  return {.id = id,
          .prefix = id,
          .category = category,
          .action = "cutting",
          .templates = {std::move(text)},
          .singular_templates = {}};
}

TEST(ObjectGaps, MasksNounsBehindTheSubject) {
  EXPECT_THAT(masked("a man cuts a potato with a sharp knife."),
              ElementsAre("a man cuts a [MASK] with a sharp knife.",
                          "a man cuts a potato with a sharp [MASK]."));
  EXPECT_THAT(masked("someone beats the drum."), ElementsAre("someone beats the [MASK]."));
  EXPECT_THAT(masked("a man jumps."), ElementsAre());
  EXPECT_THAT(masked(""), ElementsAre());
  EXPECT_EQ(object_gaps("a man cuts a potato.")[0].word, "potato");
}

TEST(ProposedFoils, AreAddedForVideosThatThePoolLacks) {
  const std::vector<annotations::QuvaVideo> videos = {
      video("000", "cooking", "a man cuts a potato exactly <number> times."),
      video("001", "exercise", "a man jumps exactly <number> times."),
      video("002", "labor", "a man hits a nail exactly <number> times.")};
  annotations::QuvaFoilPool pool;
  pool.videos["002"][0] = {"a man hits a wall."};
  ProposedFoilOptions options{.propose = [](const std::string& caption) {
    return std::vector<std::string>{caption, "x " + caption, "x " + caption};
  }};
  add_proposed_foils(videos, options, {.num_threads = 2}, pool);
  EXPECT_THAT(pool.videos["000"][0], ElementsAre("x a man cuts a potato."));
  EXPECT_FALSE(pool.videos.contains("001"));
  EXPECT_THAT(pool.videos["002"][0], ElementsAre("a man hits a wall."));
  options.includes_exercises = true;
  add_proposed_foils(videos, options, {.num_threads = 1}, pool);
  EXPECT_TRUE(pool.videos.contains("001"));
}

TEST(ProposedFoils, StayWhereEveryJudgeLetsThemPass) {
  const std::vector<annotations::QuvaVideo> videos = {video("000", "cooking", "a <number>.")};
  annotations::QuvaFoilPool pool;
  pool.videos["000"][0] = {"same", "ugly", "fine", "unclear"};
  FoilJudges judges;
  EXPECT_EQ(keep_passing_foils(videos, judges, {.num_threads = 2}, pool), 0U);
  judges.gruen = [](const std::string& foil) { return foil == "ugly" ? 0.79 : 0.8; };
  judges.nli = [](const std::string&, const std::string& foil) {
    return FoilJudges::Label{foil == "same"      ? "entailment"
                             : foil == "unclear" ? std::string(kUnreadableLabel)
                                                 : "neutral",
                             0.9};
  };
  EXPECT_EQ(keep_passing_foils(videos, judges, {.num_threads = 2}, pool), 3U);
  EXPECT_THAT(pool.videos["000"][0], ElementsAre("fine"));
  judges.least_gruen = 0.9;
  keep_passing_foils(videos, judges, {.num_threads = 1}, pool);
  EXPECT_TRUE(pool.videos.empty());
}

}  // namespace
}  // namespace snellen::builders::vilma
