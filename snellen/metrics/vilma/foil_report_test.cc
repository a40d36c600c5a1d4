// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/foil_report.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Scores = std::optional<std::vector<double>>;

FoilPartView part(const Scores& scores, size_t num_foils) {
  if (!scores) return {num_foils, std::nullopt};
  return {num_foils, std::span<const double>(*scores)};
}

// Items "a", "b", "c", ... with one foil each.
FoilReport eval(const std::vector<Scores>& scores, const FoilRules& rules, size_t num_foils = 1) {
  const std::string ids = "abcdefgh";
  std::vector<FoilItemView> items;
  size_t longest = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    items.push_back({std::string_view(ids).substr(i, 1), "clip", part(scores[i], num_foils)});
    if (scores[i]) longest = std::max(longest, scores[i]->size());
  }
  return evaluate_foils(items, longest, rules);
}

FoilReport multi(const std::vector<std::pair<Scores, Scores>>& scores, const FoilRules& rules) {
  const std::string ids = "abcdefgh";
  std::vector<FoilPairView> items;
  for (size_t i = 0; i < scores.size(); ++i) {
    items.push_back({std::string_view(ids).substr(i, 1),
                     "clip",
                     part(scores[i].first, 1),
                     part(scores[i].second, 1)});
  }
  return evaluate_foil_pairs(items, rules);
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(FoilReport, CountsRightTiedAndWrong) {
  const std::vector<Scores> scores = {{{3, 1}}, {{2, 2}}, {{1, 2}}};
  FoilRules rules;
  EXPECT_EQ(eval(scores, rules).num_correct, 1.0);
  EXPECT_EQ(eval(scores, rules).num_ties, 1u);
  rules.ties = FoilTies::kHalf;
  EXPECT_DOUBLE_EQ(eval(scores, rules).acc_r, 0.5);
  rules.ties = FoilTies::kCaption;
  EXPECT_DOUBLE_EQ(eval(scores, rules).acc_r, 2.0 / 3.0);
}

TEST(FoilReport, KeepsARowPerItem) {
  const FoilReport report = eval({{{3, 1}}, {{1, 2}}}, {});
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_EQ(report.rows[1].id, "b");
  EXPECT_EQ(report.rows[1].clip, "clip");
  EXPECT_EQ(report.rows[1].num_foils, 1u);
  EXPECT_EQ(report.rows[1].test.margin, -1.0);
  EXPECT_FALSE(report.rows[1].proficiency.has_value());
}

TEST(FoilReport, NamesMissingItems) {
  const std::vector<Scores> scores = {{{3, 1}}, std::nullopt, {{1, 2}}};
  FoilRules rules;
  EXPECT_THAT(message_of([&] { (void)eval(scores, rules); }),
              HasSubstr("missing_items: 1 evaluated items have no scores: b"));
  rules.missing = OnMissing::kSkip;
  EXPECT_EQ(eval(scores, rules).rows.size(), 2u);
  EXPECT_EQ(eval(scores, rules).num_skipped, 1u);
  rules.missing = OnMissing::kWrong;
  EXPECT_DOUBLE_EQ(eval(scores, rules).acc_r, 1.0 / 3.0);
  EXPECT_EQ(eval(scores, rules).num_made_wrong, 1u);
  rules.is_compat = true;
  EXPECT_THAT(message_of([&] { (void)eval(scores, rules); }), HasSubstr("missing_items"));
}

TEST(FoilReport, CountsAMissingItemWrongInEveryMetric) {
  FoilRules rules{.mode = FoilMode::kProbability};
  rules.missing = OnMissing::kWrong;
  const FoilReport report = eval({{{0.9, 0.1}}, std::nullopt}, rules);
  EXPECT_EQ(report.probability->counts.fn, 1u);
  EXPECT_EQ(report.probability->counts.fp, 1u);
  EXPECT_DOUBLE_EQ(report.probability->acc, 0.5);
}

TEST(FoilReport, WantsOneScorePerText) {
  FoilRules rules;
  EXPECT_THAT(message_of([&] {
                (void)eval({{{3, 1, 4}}}, rules);
              }),
              HasSubstr("length_mismatch: 1 items"));
  EXPECT_THAT(message_of([&] {
                (void)eval({{{3, 1}}}, rules, 2);
              }),
              HasSubstr("length_mismatch: 1 items"));
  rules.length_mismatch = OnLengthMismatch::kTruncate;
  EXPECT_EQ(eval({{{3, 1, 4}}}, rules).num_correct, 1.0);
  EXPECT_EQ(eval({{{3, 1}}}, rules, 2).rows[0].num_foils, 1u);
  EXPECT_THAT(message_of([&] { (void)eval({{{3}}}, rules); }), HasSubstr("length_mismatch"));
  EXPECT_THAT(message_of([&] { (void)eval({Scores(std::vector<double>{})}, rules); }),
              HasSubstr("length_mismatch"));
}

TEST(FoilReport, CompatTakesAnyLengthFromOne) {
  FoilRules rules;
  rules.is_compat = true;
  EXPECT_EQ(eval({{{3, 1, 4}}}, rules).num_correct, 0.0);
  EXPECT_EQ(eval({{{3}}}, rules).num_correct, 1.0);
  EXPECT_THAT(message_of([&] { (void)eval({Scores(std::vector<double>{})}, rules); }),
              HasSubstr("length_mismatch"));
}

TEST(FoilReport, RefusesNonFiniteScoresUnlessTold) {
  FoilRules rules{.mode = FoilMode::kProbability};
  const std::vector<Scores> scores = {{{0.9, 0.2}}, {{kNan, 0.2}}};
  EXPECT_THAT(message_of([&] { (void)eval(scores, rules); }),
              HasSubstr("nonfinite_scores: 1 items have NaN or infinite scores: b"));
  rules.non_finite = OnNonFinite::kWrong;
  const FoilReport report = eval(scores, rules);
  EXPECT_DOUBLE_EQ(report.acc_r, 0.5);
  EXPECT_DOUBLE_EQ(report.probability->acc, 0.5);
  EXPECT_EQ(report.num_made_wrong, 1u);
}

TEST(FoilReport, StillReportsTheRankingWhenScoresAreNoProbabilities) {
  const FoilReport report = eval({{{70, 30}}}, {.mode = FoilMode::kProbability});
  EXPECT_DOUBLE_EQ(report.acc_r, 1.0);
  EXPECT_FALSE(report.probability.has_value());
  EXPECT_THAT(report.reason, StartsWith("score_out_of_range: item a has a score of 70"));
}

TEST(FoilReport, FailsWithNothingToScore) {
  EXPECT_THAT(message_of([] { (void)eval({}, {}); }), HasSubstr("no items to score"));
}

TEST(FoilReport, PairsNeedBothRight) {
  const FoilReport report =
      multi({{{{3, 1}}, {{3, 1}}}, {{{3, 1}}, {{1, 3}}}, {{{2, 2}}, {{3, 1}}}}, {});
  EXPECT_DOUBLE_EQ(report.num_correct, 1.0);
  EXPECT_EQ(report.num_ties, 1u);  // c: tied proficiency, right test
  EXPECT_TRUE(report.rows[2].proficiency->is_tied);
}

TEST(FoilReport, ALostHalfIsNoTieOfThePair) {
  EXPECT_EQ(multi({{{{2, 2}}, {{1, 3}}}}, {}).num_ties, 0u);
}

TEST(FoilReport, TwoHalvesMakeAQuarter) {
  FoilRules rules;
  rules.ties = FoilTies::kHalf;
  EXPECT_DOUBLE_EQ(multi({{{{2, 2}}, {{2, 2}}}, {{{2, 2}}, {{3, 2}}}}, rules).num_correct, 0.75);
}

TEST(FoilReport, AFailedProficiencyTestReplacesTheScores) {
  const FoilReport report = multi({{{{0.9, 0.1}}, {{0.8, 0.3}}}, {{{0.1, 0.9}}, {{0.8, 0.3}}}},
                                  {.mode = FoilMode::kProbability});
  EXPECT_EQ(report.probability->counts.tp, 1u);
  EXPECT_EQ(report.probability->counts.fn, 1u);  // 0.001
  EXPECT_EQ(report.probability->counts.fp, 1u);  // 0.999
  EXPECT_EQ(report.probability->counts.tn, 1u);
}

TEST(FoilReport, SkipsAPairWhenEitherIsMissing) {
  FoilRules rules;
  rules.missing = OnMissing::kSkip;
  const FoilReport report =
      multi({{std::nullopt, {{3, 1}}}, {{{3, 1}}, std::nullopt}, {{{3, 1}}, {{3, 1}}}}, rules);
  EXPECT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.num_skipped, 2u);
}

TEST(FoilReport, ListsAnIdOnceWhenBothPartsLackIt) {
  std::vector<FoilPairView> items = {{"a", "", {1, std::nullopt}, {1, std::nullopt}}};
  EXPECT_THAT(find_foil_problems(items, {}).missing, ElementsAre("a"));
}

TEST(FoilReport, PrintsAsTheReferenceDoes) {
  FoilRules rules;
  rules.is_compat = true;
  EXPECT_THAT(compat_lines(eval({{{3, 1}}, {{1, 2}}}, rules)), ElementsAre("2", "acc_r=50.0%"));
  EXPECT_THAT(compat_lines(multi({{{{3, 1}}, {{3, 1}}}}, rules)), ElementsAre("acc_r=100.0%"));
  rules.mode = FoilMode::kProbability;
  EXPECT_THAT(compat_lines(eval({{{0.9, 0.2}}, {{0.4, 0.6}}, {{0.8, 0.1}}}, rules)),
              ElementsAre("3",
                          "acc_r=66.67%",
                          "p_c=66.67%",
                          "p_f=66.67%",
                          "min(p_c, p_f)=66.67%",
                          "acc=66.67%",
                          "auroc=88.89"));
  EXPECT_THAT(compat_lines(multi({{{{0.9, 0.2}}, {{0.9, 0.2}}}}, rules)),
              ElementsAre("acc_r=100.0%",
                          "1",
                          "p_c=100.0%",
                          "p_f=100.0%",
                          "min(p_c, p_f)=100.0%",
                          "acc=100.0%",
                          "auroc=100.0"));
}

TEST(FoilReport, RoundsHalfToEvenOnTheExactValue) {
  EXPECT_EQ(rounded_percent(0.00125), 0.12);  // 100 * 0.00125 is exactly 0.125
  EXPECT_EQ(rounded_percent(0.00375), 0.38);  // exactly 0.375
  EXPECT_EQ(rounded_percent(1.0 / 3.0), 33.33);
}

}  // namespace
}  // namespace snellen::metrics
