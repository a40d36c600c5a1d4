// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/rare_texts.h"

#include <gtest/gtest.h>

namespace snellen::builders::vilma {
namespace {

TEST(ActiveSentence, HasAGerundAndAnArticle) {
  EXPECT_EQ(active_sentence("cut", "phone"), "cutting a phone");
  EXPECT_EQ(active_sentence("hammer", "egg"), "hammering an egg");
  EXPECT_EQ(active_sentence("microwave", "shoes"), "microwaving some shoes");
  EXPECT_EQ(active_sentence("drink from", "cup"), "drinking from a cup");
  EXPECT_EQ(active_sentence("drill", "eggs"), "drilling into some eggs");
}

TEST(ActiveSentence, KeepsThePublishedPlurals) {
  EXPECT_EQ(active_sentence("peel", "corn"), "peeling some corns");
  EXPECT_EQ(active_sentence("wash", "potato"), "washing some potatos");
  EXPECT_EQ(active_sentence("shake", "clothe"), "shaking some clothes");
  EXPECT_EQ(active_sentence("measure", "hair"), "measuring some hair");
}

TEST(ActiveSentence, TakesAPhrase) {
  EXPECT_EQ(active_sentence_of_phrase("peel", "a lemon"), "peeling a lemon");
  EXPECT_EQ(active_sentence_of_phrase("drill", "a wall"), "drilling into a wall");
}

TEST(ExistentialSentence, SaysAtLeastOne) {
  EXPECT_EQ(existential_sentence("phone", false), "there is at least one phone");
  EXPECT_EQ(existential_sentence("corn", false), "there are some corns");
  EXPECT_EQ(existential_sentence("hair", false), "there are some hair");
  EXPECT_EQ(existential_sentence("oven", true), "there is an oven");
}

}  // namespace
}  // namespace snellen::builders::vilma
