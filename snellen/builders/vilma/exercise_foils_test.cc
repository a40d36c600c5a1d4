// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/exercise_foils.h"

#include <gtest/gtest.h>

namespace snellen::builders::vilma {
namespace {

using annotations::QuvaFoilPool;
using annotations::QuvaVideo;

TEST(FirstNounPhrase, EndsBeforePrepositionsParticiplesAndVerbs) {
  EXPECT_EQ(first_noun_phrase("a man in red spins around."), "a man");
  EXPECT_EQ(first_noun_phrase("a shirtless man skips the rope."), "a shirtless man");
  EXPECT_EQ(first_noun_phrase("each table tennis player hits the ball."),
            "each table tennis player");
  EXPECT_EQ(first_noun_phrase("a guy wearing a yellow t-shirt juggles."), "a guy");
  EXPECT_EQ(first_noun_phrase("someone skips rope."), "someone");
  EXPECT_EQ(first_noun_phrase("a pair of athletes performs pull-ups."), "a pair");
  EXPECT_EQ(first_noun_phrase("two boys jump."), "two boys");
  EXPECT_EQ(first_noun_phrase("two strong men row."), "two strong men");
  EXPECT_EQ(first_noun_phrase(""), "");
}

std::vector<QuvaVideo> four_videos() {
  return {{"0", "0_a", "exercise", "jump", {"a woman jumps exactly <number> times."}, {}},
          {"1", "1_b", "exercise", "lift", {"a man lifts his legs exactly <number> times."}, {}},
          {"2",
           "2_c",
           "exercise",
           "row",
           {"a boy performs the same exercise exactly <number> times."},
           {}},
          {"3", "3_d", "labor", "cut", {"someone cuts wood exactly <number> times."}, {}}};
}

TEST(ExerciseFoils, SayAnotherExerciseOfTheSameSubject) {
  QuvaFoilPool pool;
  add_exercise_foils(four_videos(), {}, pool);
  ASSERT_EQ(pool.videos.size(), 2U);
  EXPECT_EQ(pool.videos.at("0").at(0), (std::vector<std::string>{"a woman lifts her legs."}));
  EXPECT_EQ(pool.videos.at("1").at(0), (std::vector<std::string>{"a man jumps."}));
}

TEST(ExerciseFoils, KeepThePronounInCompat) {
  QuvaFoilPool pool;
  add_exercise_foils(four_videos(), {.is_compat = true}, pool);
  EXPECT_EQ(pool.videos.at("0").at(0), (std::vector<std::string>{"a woman lifts his legs."}));
}

TEST(ExerciseFoils, LeaveVideosThatHaveFoils) {
  QuvaFoilPool pool;
  pool.videos["0"][0] = {"a woman sits."};
  add_exercise_foils(four_videos(), {}, pool);
  EXPECT_EQ(pool.videos.at("0").at(0), (std::vector<std::string>{"a woman sits."}));
}

}  // namespace
}  // namespace snellen::builders::vilma
