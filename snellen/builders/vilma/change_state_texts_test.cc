// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/change_state_texts.h"

#include <gtest/gtest.h>

namespace snellen::builders::vilma {
namespace {

StateChange boiled(std::string object) {
  return {.verb = "boil",
          .hypernym = "heat up",
          .object = std::move(object),
          .pre_state = "cold",
          .post_state = "hot",
          .inverse = "cool down"};
}

StateChange risen(std::string object) {
  return {.verb = "rise",
          .hypernym = "ascend",
          .object = std::move(object),
          .pre_state = "low",
          .post_state = "high",
          .inverse = "fall"};
}

constexpr const char* kBeans = "the green beans";

TEST(StateTexts, SayWhatSomeoneDoes) {
  const StateTexts texts = state_texts(boiled(kBeans), StateKind::kAction, {.keeps_verb = true});
  EXPECT_EQ(texts.caption, "Someone boils the green beans.");
  EXPECT_EQ(texts.foil, "Someone cools the green beans down.");
  EXPECT_EQ(state_texts(boiled(kBeans), StateKind::kAction, {}).caption,
            "Someone heats the green beans up.");
}

TEST(StateTexts, SayWhatTheObjectDoes) {
  const StateTexts one = state_texts(risen("the Kite"), StateKind::kAction, {.keeps_verb = true});
  EXPECT_EQ(one.caption, "The kite rises.");
  EXPECT_EQ(one.foil, "The kite falls.");
  EXPECT_EQ(state_texts(risen("the kites"), StateKind::kAction, {.keeps_verb = true}).caption,
            "The kites rise.");
}

TEST(StateTexts, ExchangeStates) {
  const StateTexts before = state_texts(boiled(kBeans), StateKind::kPreState, {});
  EXPECT_EQ(before.caption, "Initially, the green beans are cold.");
  EXPECT_EQ(before.foil, "Initially, the green beans are hot.");
  const StateTexts after = state_texts(boiled(kBeans), StateKind::kPostState, {});
  EXPECT_EQ(after.caption, "At the end, the green beans are hot.");
  EXPECT_EQ(after.foil, "At the end, the green beans are cold.");
}

TEST(StateTexts, TellTheWholeStoryBackwards) {
  const StateTexts texts = state_texts(boiled("a pot"), StateKind::kInverse, {.keeps_verb = true});
  EXPECT_EQ(texts.caption,
            "Initially, a pot is cold. Then, someone boils a pot. At the end, a pot is hot.");
  EXPECT_EQ(texts.foil,
            "Initially, a pot is hot. Then, someone cools a pot down. At the end, a pot is cold.");
}

TEST(StateTexts, LetVerbsAgreeByDefaultOnly) {
  EXPECT_EQ(state_texts(risen("kites"), StateKind::kInverse, {.keeps_verb = true}).caption,
            "Initially, kites are low. Then, kites rise. At the end, kites are high.");
  EXPECT_EQ(
      state_texts(risen("kites"), StateKind::kInverse, {.keeps_verb = true, .is_compat = true})
          .caption,
      "Initially, kites are low. Then, kites rises. At the end, kites are high.");
}

TEST(StateTexts, ForgetAFullStopInCompat) {
  StateTextOptions options{.keeps_verb = true, .is_extended = true};
  EXPECT_EQ(state_texts(boiled("a pot"), StateKind::kPreState, options).foil,
            "Initially, a pot is hot. Then, someone boils a pot. At the end, a pot is hot.");
  options.is_compat = true;
  EXPECT_EQ(state_texts(boiled("a pot"), StateKind::kPreState, options).foil,
            "Initially, a pot is hot Then, someone boils a pot. At the end, a pot is hot.");
  EXPECT_EQ(state_texts(boiled("a pot"), StateKind::kPreState, options).caption,
            "Initially, a pot is cold. Then, someone boils a pot. At the end, a pot is hot.");
  EXPECT_EQ(state_texts(boiled("a pot"), StateKind::kPostState, options).foil,
            "Initially, a pot is cold Then, someone boils a pot. At the end, a pot is cold.");
  EXPECT_EQ(state_texts(boiled("a pot"), StateKind::kAction, options).foil,
            "Initially, a pot is cold Then, someone cools a pot down. At the end, a pot is hot.");
}

TEST(StateTexts, TakeOtherAdverbs) {
  StateTextOptions options{.start_adverb = "at FIRST", .end_adverb = "finally"};
  EXPECT_EQ(state_texts(boiled("a pot"), StateKind::kPreState, options).caption,
            "At first, a pot is cold.");
  EXPECT_EQ(state_texts(boiled("a pot"), StateKind::kPostState, options).caption,
            "Finally, a pot is hot.");
  options.is_compat = true;
  EXPECT_EQ(state_texts(boiled("a pot"), StateKind::kPostState, options).caption,
            "At the end, a pot is hot.");
}

TEST(StateTexts, NameSomethingWhereThereIsNoObject) {
  EXPECT_EQ(state_texts(boiled(""), StateKind::kAction, {.keeps_verb = true}).caption,
            "Someone boils something.");
  EXPECT_EQ(state_texts(boiled(""), StateKind::kPreState, {}).caption,
            "Initially, something is cold.");
  EXPECT_EQ(state_texts(boiled(""), StateKind::kPreState, {.is_compat = true}).caption,
            "Initially, Someone is cold.");
}

TEST(PluralObject, IsToldByTheLastLetter) {
  EXPECT_TRUE(is_plural_object("the green beans", false));
  EXPECT_FALSE(is_plural_object("the glass", false));
  EXPECT_FALSE(is_plural_object("a hand", false));
  EXPECT_TRUE(is_plural_object("bread and butter", false));
  EXPECT_FALSE(is_plural_object("the camera lens", false));
  EXPECT_FALSE(is_plural_object("", false));
}

TEST(PluralObject, IsToldByAndAnywhereInCompat) {
  EXPECT_TRUE(is_plural_object("a hand", true));
  EXPECT_TRUE(is_plural_object("the sand paper", true));
  EXPECT_FALSE(is_plural_object("the glass", true));
  EXPECT_TRUE(is_plural_object("the camera lens", true));
  EXPECT_TRUE(is_plural_object("s", true));
}

}  // namespace
}  // namespace snellen::builders::vilma
