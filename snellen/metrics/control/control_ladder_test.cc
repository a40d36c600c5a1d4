// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/control_ladder.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

const std::vector<double> kSigmas = {0, 100, 1000, 10000};

LadderItem item(std::string_view letters, std::string image = "i") {
  return {.id = std::string(letters),
          .image = std::move(image),
          .category = "Age",
          .condition = "neg",
          .subset = {},
          .answers = ladder_answers(letters)};
}

TEST(ControlLadder, RefusalsBreakStabilityButAreNoReversal) {
  LadderVerdict verdict = classify_ladder(ladder_answers("ACRC"));
  EXPECT_EQ(verdict.kind, LadderKind::kFlip);
  EXPECT_EQ(verdict.first_c, 1u);
  EXPECT_EQ(verdict.stable_c, 3u);
  EXPECT_FALSE(verdict.has_reversal);
  EXPECT_EQ(classify_ladder(ladder_answers("ACBC")).kind, LadderKind::kFlipUnstable);
}

TEST(ControlLadder, StrictClaimFailsOnARefusalUnlessItCountsAsUnknown) {
  std::vector<LadderItem> items = {item("AACC"), item("AACR")};
  EXPECT_FALSE(*summarize_ladder(items, kSigmas).claim_holds);
  LadderOptions lenient{.counts_refusal_as_c = true};
  LadderSummary summary = summarize_ladder(items, kSigmas, lenient);
  EXPECT_TRUE(*summary.claim_holds);
  EXPECT_DOUBLE_EQ(*summary.image_reliance.value, 0.5);  // the claim only
  EXPECT_DOUBLE_EQ(*summary.refused_or_unparsed.value, 0.5);
}

TEST(ControlLadder, FlipFirstTakesTheFirstC) {
  std::vector<LadderItem> items = {item("ACRC"), item("BCCB")};
  EXPECT_DOUBLE_EQ(*summarize_ladder(items, kSigmas).mean_flip_level, 3);
  LadderSummary first = summarize_ladder(items, kSigmas, {.flips_at_first_c = true});
  EXPECT_DOUBLE_EQ(*first.mean_flip_level, 1);
  EXPECT_DOUBLE_EQ(*first.mean_log10_sigma, 2);
}

TEST(ControlLadder, AlwaysUnknownHasNoGainAndNoDeterminateItem) {
  std::vector<LadderItem> items = {item("CCCC")};
  LadderSummary summary = summarize_ladder(items, kSigmas);
  EXPECT_FALSE(summary.normalized_gain);
  EXPECT_FALSE(summary.image_reliance.value);
  EXPECT_DOUBLE_EQ(*summary.auc_c, 1);
}

TEST(ControlLadder, NothingIsClaimedOfNoItems) {
  LadderSummary summary = summarize_ladder({}, kSigmas);
  EXPECT_FALSE(summary.claim_holds);
  EXPECT_FALSE(summary.levels[0].c_share.value);
}

TEST(ControlLadder, OptionsBeyondTheSecondAreTellableApart) {
  auto chosen = [](size_t index) {
    return ladder_answer({text::AnswerStatus::kParsed, index, "sole_letter"}, /*unknown=*/0);
  };
  EXPECT_EQ(chosen(0).answer, AnswerClass::kC);
  EXPECT_EQ(chosen(1).answer, AnswerClass::kA);
  EXPECT_EQ(chosen(3).answer, AnswerClass::kB);
  EXPECT_FALSE(chosen(2) == chosen(3));
}

TEST(ControlLadder, ClustersAnImageAsOne) {
  std::vector<LadderItem> items = {item("AACC"), item("AAAA")};
  LadderSummary summary =
      summarize_ladder(items, kSigmas, {.bootstrap = stats::BootstrapOptions{.replicates = 20}});
  EXPECT_DOUBLE_EQ(summary.image_reliance.clustered->low, 0.5);
  EXPECT_DOUBLE_EQ(summary.levels[3].c_share.clustered->high, 0.5);
}

TEST(ControlLadder, RefusesAnItemWithTooFewAnswers) {
  std::vector<LadderItem> items = {item("AAC")};
  EXPECT_THROW(summarize_ladder(items, kSigmas), Error);
  EXPECT_THROW(ladder_answers("AX"), Error);
}

}  // namespace
}  // namespace snellen::metrics
