// SPDX-License-Identifier: Apache-2.0
#include "snellen/audit/audit.h"

#include <gtest/gtest.h>

#include "snellen/audit/text_choice.h"
#include "snellen/audit/text_words.h"
#include "snellen/base/rng.h"

namespace snellen::audit {
namespace {

// Choices between two texts; what is right is only known to judge().
class TwoTexts : public tasks::Task {
 public:
  struct Pair {
    std::string right;
    std::string wrong;
    bool is_second = false;  // the right one stands second
  };
  explicit TwoTexts(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {}
  std::vector<tasks::Part> parts() const override { return {{"", pairs_.size()}}; }
  std::vector<tasks::Column> columns() const override { return {{"acc", true}}; }
  std::vector<std::filesystem::path> inputs() const override { return {}; }
  Result<tasks::Item> item(uint64_t position) const override {
    const Pair& pair = pairs_[position];
    tasks::Item item{.id = std::to_string(position),
                     .clusters = {std::to_string(position / 2)},
                     .category = position % 2 == 0 ? "even" : "odd"};
    item.visuals = {{.name = std::to_string(position / 2)}};
    item.texts.push_back({pair.is_second ? pair.wrong : pair.right});
    item.texts.push_back({pair.is_second ? pair.right : pair.wrong});
    item.questions = {{.visual = 0, .texts = {0, 1}}};
    return item;
  }
  Result<tasks::Outcome> judge(const tasks::Item& item,
                               const questions::Scores& scores) const override {
    const bool is_second = pairs_[std::stoul(item.id)].is_second;
    const bool takes_second = scores.values[1] > scores.values[0];
    return tasks::Outcome{.values = {is_second == takes_second ? 1.0 : 0.0}};
  }

 private:
  std::vector<Pair> pairs_;
};

std::string sentence(Rng& rng, size_t num_words) {
  static const std::vector<std::string> kWords = {
      "a",   "the", "red",  "small", "cat", "dog", "sits", "runs", "on",  "under",
      "big", "man", "tree", "ball",  "car", "has", "blue", "near", "old", "house"};
  std::string text;
  for (size_t i = 0; i < num_words; ++i)
    text += (i > 0 ? " " : "") + kWords[rng.below(kWords.size())];
  return text + ".";
}

enum class Plant { kNothing, kLongerFoils, kWordOfFoils };

// With `is_swapped` the right and the wrong text change places at random, so that a plant tells
// nothing of which is right.
run::OpenTask made(uint64_t seed, size_t num_items, Plant plant, bool is_swapped = false) {
  Rng rng = Rng(seed).fork("audit-test");
  std::vector<TwoTexts::Pair> pairs;
  for (size_t i = 0; i < num_items; ++i) {
    TwoTexts::Pair pair{sentence(rng, 8), sentence(rng, 8), rng.below(2) == 1};
    if (plant == Plant::kLongerFoils)
      (rng.below(10) < 7 ? pair.wrong : pair.right) += " and more words here";
    if (plant == Plant::kWordOfFoils) pair.wrong = "surely " + pair.wrong;
    if (is_swapped && rng.below(2) == 1) std::swap(pair.right, pair.wrong);
    pairs.push_back(pair);
  }
  auto task = std::make_shared<TwoTexts>(std::move(pairs));
  return {.name = "two", .task = task, .parts = task->parts()};
}

const CueRow& row_of(const AuditReport& report, Cue cue) {
  for (const CueRow& row : report.rows) {
    if (row.cue == cue && row.group.kind == "all") return row;
  }
  throw std::out_of_range("no such row");
}

TEST(Audit, FindsFoilsThatAreLongerInSeventyPercentOfItems) {
  const AuditReport report = audit_items(made(1, 200, Plant::kLongerFoils), {});
  EXPECT_TRUE(report.has_alarm());
  const CueRow& words = row_of(report, Cue::kWords);
  EXPECT_TRUE(words.is_alarm);
  EXPECT_NEAR(words.value, 0.3, 0.08);
  EXPECT_LT(*words.high, 0.5);
  ASSERT_FALSE(report.items.empty());
  EXPECT_LT(report.items[0].right[0].size(), report.items[0].wrong[0].size());
}

TEST(Audit, FindsAWordThatOnlyFoilsHave) {
  const AuditReport report = audit_items(made(1, 200, Plant::kWordOfFoils), {});
  EXPECT_TRUE(row_of(report, Cue::kBagOfWords).is_alarm);
  EXPECT_GT(row_of(report, Cue::kBagOfWords).value, 0.95);
}

// The leak is there all the same: texts of unlike length, a word that one of the two has.
TEST(Audit, AlarmsAtMostFiveTimesInAHundredWhereTextsAreSwappedAtRandom) {
  for (const Plant plant : {Plant::kNothing, Plant::kLongerFoils, Plant::kWordOfFoils}) {
    int num_alarms = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
      const run::OpenTask task = made(seed, 200, plant, /*is_swapped=*/true);
      num_alarms += audit_items(task, {.seed = seed}).has_alarm() ? 1 : 0;
    }
    RecordProperty("alarms_of_plant_" + std::to_string(static_cast<int>(plant)), num_alarms);
    EXPECT_LE(num_alarms, 5) << "plant " << static_cast<int>(plant);
  }
}

TEST(Audit, IsTheSameEveryTimeAndGroupsByCategory) {
  const AuditReport one = audit_items(made(3, 60, Plant::kNothing), {});
  EXPECT_EQ(audit_json(one), audit_json(audit_items(made(3, 60, Plant::kNothing), {})));
  ASSERT_EQ(one.word_order.size(), 3U);
  EXPECT_EQ(one.word_order[0].group.kind, "all");
  EXPECT_EQ(one.word_order[1].group.name, "even");
  EXPECT_EQ(one.word_order[1].n, 30U);
}

TEST(Audit, CountsLikelihoodsThatWereGiven) {
  AuditOptions options{.likelihood = std::vector<float>(60, 1.0F)};
  const AuditReport report = audit_items(made(3, 60, Plant::kNothing), options);
  EXPECT_DOUBLE_EQ(row_of(report, Cue::kLikelihood).value, 1.0);
  EXPECT_TRUE(row_of(report, Cue::kLikelihood).is_alarm);
}

TEST(Audit, RefusesATaskWithoutChoices) {
  EXPECT_THROW(audit_items(made(1, 0, Plant::kNothing), {}), Error);
}

TEST(TextWords, AreLowerCasedAndFreeOfPunctuation) {
  EXPECT_EQ(words_of("A cat's toy, big."), (std::vector<std::string>{"a", "cat's", "toy", "big"}));
  EXPECT_TRUE(are_same_words({"A cat on a dog.", "a dog on a cat"}));
  EXPECT_FALSE(are_same_words({"a cat", "a cat"}));
  EXPECT_FALSE(are_same_words({"a cat a", "a cat"}));
}

TEST(TextChoice, SharesTiesAmongThoseThatTie) {
  const TextChoice choice{.texts = {"a", "b", "c"}, .is_right = {true, false, false}};
  EXPECT_DOUBLE_EQ(choice.chance(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(share_right(choice, {1, 0, 0}), 1.0);
  EXPECT_DOUBLE_EQ(share_right(choice, {1, 1, 0}), 0.5);
  EXPECT_DOUBLE_EQ(share_right(choice, {0, 1, 1}), 0.0);
}

}  // namespace
}  // namespace snellen::audit
