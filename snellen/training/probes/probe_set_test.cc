// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/probe_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/training/probes/naming_probe.h"

namespace snellen::training {
namespace {

// Question i is about picture i / 2; of its two texts the first is right. The texts are letters:
// 'B' for the right one, 'B' + offset for the wrong one.
class LetterSource final : public ProbeSource {
 public:
  LetterSource(std::string name, std::vector<int> offsets)
      : name_(std::move(name)), offsets_(std::move(offsets)) {}

  uint64_t size() const override { return offsets_.size(); }
  Result<ProbeQuestion> question(uint64_t index) const override {
    if (offsets_[index] == kBad) return Error{ErrorCode::kInvalidInput, "is bad", "line"};
    const std::string key = fmt::format("{}", index / 2);
    ProbeQuestion question{.probes = {name_, fmt::format("{}/{}", name_, index % 2)},
                           .cluster = key,
                           .visuals = {{.name = key}}};
    question.texts = {{.prompt = "B"},
                      {.prompt = std::string(1, static_cast<char>('B' + offsets_[index]))}};
    question.questions = {{.texts = {0, 1}}};
    question.chance = 0.5;
    question.judge = [](const questions::Scores& scores) -> Result<Verdict> {
      return first_wins(scores.values);
    };
    return question;
  }

  static constexpr int kBad = 99;

 private:
  std::string name_;
  std::vector<int> offsets_;
};

// Letters further back in the alphabet score less; picture 1 cannot be read.
class LetterModel final : public models::Model {
 public:
  std::vector<Identity> identity() const override { return {}; }
  models::AskPlan* plan() override { return &plan_; }
  Result<questions::Scores> score(const models::Ask& ask) const override {
    const std::string& key = ask.visuals[0].name;
    if (key == "1") return Error{ErrorCode::kInvalidInput, "is not a picture", key};
    questions::Scores scores;
    for (const questions::Text& text : *ask.texts) scores.values.push_back(-text.prompt.at(0));
    return scores;
  }

  struct Plan final : models::AskPlan {
    void add(const models::Ask& ask) override { visuals.push_back(ask.visuals[0].name); }
    bool knows(const models::Ask&) const override { return false; }
    void add_known(size_t) override {}
    std::vector<std::string> visuals;
  } plan_;
};

template <typename... Source>
ProbeSet set_of(Source... source) {
  std::vector<std::unique_ptr<ProbeSource>> sources;
  (sources.push_back(std::make_unique<Source>(std::move(source))), ...);
  return ProbeSet(std::move(sources));
}

TEST(ProbeSet, CountsWhatIsRightTiedAndNotAskedByName) {
  // Picture 0: right, tied. Picture 1 cannot be read. Picture 2: wrong, bad. Picture 3: right.
  ProbeSet set = set_of(LetterSource("mine", {1, 0, 1, 1, -1, LetterSource::kBad, 2, 3}));
  EXPECT_THAT(set.names(), testing::ElementsAre("mine", "mine/0", "mine/1"));
  LetterModel model;
  ProbeReport report = set.ask(model, 2);
  EXPECT_EQ(model.plan_.visuals,
            (std::vector<std::string>{
                "0", "0", "1", "1", "2", "3", "3"}));  // in order, all that can be asked
  ASSERT_EQ(report.scores.size(), 3U);
  EXPECT_EQ(report.scores[0].id, "mine");
  EXPECT_EQ(report.scores[0].n, 5U);
  EXPECT_DOUBLE_EQ(report.scores[0].value, 0.6);
  EXPECT_EQ(report.scores[0].ties, 1U);
  EXPECT_EQ(report.scores[0].interval, "");  // two questions of one picture, three pictures in all
  EXPECT_EQ(report.scores[0].reason, "too few clusters for an interval");
  EXPECT_EQ(report.scores[1].n, 3U);
  EXPECT_EQ(report.scores[1].interval, "wilson");
  EXPECT_DOUBLE_EQ(report.scores[1].value, 2.0 / 3);
  EXPECT_EQ(report.scores[1].chance, 0.5);
  EXPECT_EQ(report.num_failed, 3U);
  ASSERT_FALSE(report.reasons.empty());
}

TEST(ProbeSet, DoesNotDependOnThreads) {
  std::vector<int> offsets;
  for (int i = 0; i < 600; ++i) offsets.push_back(i * 7 % 5 - 2);
  const ProbeSet set = set_of(LetterSource("mine", offsets));
  std::vector<double> values;
  for (unsigned threads : {1U, 3U}) {
    LetterModel model;
    uint64_t num_told = 0;
    const ProbeReport report = set.ask(model, threads, [&](uint64_t done, uint64_t total) {
      EXPECT_EQ(done, ++num_told);
      EXPECT_EQ(total, 600U);
    });
    for (const metrics::Measurement& score : report.scores)
      values.insert(values.end(), {score.value, *score.low, *score.high});
  }
  ASSERT_EQ(values.size(), 18U);
  EXPECT_TRUE(std::equal(values.begin(), values.begin() + 9, values.begin() + 9));
}

TEST(ProbeSet, RefusesTwoOfOneNameAndFilesWithoutAQuestion) {
  EXPECT_THROW(set_of(LetterSource("mine", {1}), LetterSource("mine", {1})), Error);
  EXPECT_THROW(set_of(LetterSource("mine", {LetterSource::kBad})), Error);
}

TEST(NamingQuestion, TakesAnyThatIsThere) {
  ProbeQuestion question = naming_question({.name = "p"}, shared_texts({"a", "b", "c"}), {2, 0});
  EXPECT_EQ(question.questions.at(0).texts.size(), 3U);
  EXPECT_EQ(*question.judge({.values = {0.1, 0.5, 0.6}}), Verdict::kRight);
  EXPECT_EQ(*question.judge({.values = {0.1, 0.5, 0.5}}), Verdict::kTied);
  EXPECT_EQ(*question.judge({.values = {0.1, 0.5, 0.4}}), Verdict::kWrong);
}

}  // namespace
}  // namespace snellen::training
