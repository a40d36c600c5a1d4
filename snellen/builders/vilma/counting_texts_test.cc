// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/counting_texts.h"

#include <gtest/gtest.h>

namespace snellen::builders::vilma {
namespace {

TEST(WithoutCount, TakesTheWholePhraseAway) {
  EXPECT_EQ(without_count("a man jumps exactly <number> times."), "a man jumps.");
  EXPECT_EQ(without_count("someone peels a melon in exactly <number> moves."),
            "someone peels a melon.");
  EXPECT_EQ(without_count("a person rips off the roof with exactly <number> moves."),
            "a person rips off the roof.");
  EXPECT_EQ(without_count("a woman performs exactly <number> pull-ups."),
            "a woman performs pull-ups.");
  EXPECT_EQ(without_count("a man skips the rope <number> times in total."),
            "a man skips the rope.");
  EXPECT_EQ(without_count("a man jumps."), "a man jumps.");
}

TEST(WithCount, TakesTheSingularForOne) {
  EXPECT_EQ(
      with_count("it hops <number> times.", "it hops <number> time.", 1, CountStyle::kSpelled),
      "it hops one time.");
  EXPECT_EQ(
      with_count("it hops <number> times.", "it hops <number> time.", 7, CountStyle::kSpelled),
      "it hops seven times.");
  EXPECT_EQ(
      with_count("it hops <number> times.", "it hops <number> time.", 10, CountStyle::kDigits),
      "it hops 10 times.");
}

TEST(SingularTemplate, ChangesTheCountedNoun) {
  EXPECT_EQ(singular_template("it hops exactly <number> times."), "it hops exactly <number> time.");
  EXPECT_EQ(singular_template("she does <number> overhead presses."),
            "she does <number> overhead press.");
  EXPECT_EQ(singular_template("she does <number> crunches."), "she does <number> crunch.");
  EXPECT_EQ(singular_template("a kid bounces exactly <number> times on a trampoline."),
            "a kid bounces exactly <number> time on a trampoline.");
  EXPECT_EQ(singular_template("she does <number> sit-ups on the monkey bars."),
            "she does <number> sit-up on the monkey bars.");
  EXPECT_EQ(singular_template("he takes <number> berries."), "he takes <number> berry.");
}

TEST(SingularTemplate, KeepsATextWithoutACountedNoun) {
  EXPECT_EQ(singular_template("<number>"), "<number>");
  EXPECT_EQ(singular_template("it hops."), "it hops.");
}

}  // namespace
}  // namespace snellen::builders::vilma
