// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/probe_set.h"

#include <atomic>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/testing/handmade_training.h"
#include "snellen/training/probes/naming_probe.h"

namespace snellen::training {
namespace {

using handmade::LetterTokenizer;

// Question i is about picture i / 2, which has the value 10 * (i / 2); of its two texts the first
// is right. The texts are letters: 'B' for the right one, 'B' + offset for the wrong one.
class LetterSource final : public ProbeSource {
 public:
  LetterSource(std::string name, std::vector<int> offsets, std::atomic<int>* num_read = nullptr)
      : name_(std::move(name)), offsets_(std::move(offsets)), num_read_(num_read) {}

  uint64_t size() const override { return offsets_.size(); }
  Result<ProbeQuestion> question(uint64_t index) const override {
    if (offsets_[index] == kBad) return Error{ErrorCode::kInvalidInput, "is bad", "line"};
    std::string key = fmt::format("{}", index / 2);
    return ProbeQuestion{.probes = {name_, fmt::format("{}/{}", name_, index % 2)},
                         .cluster = key,
                         .pictures = {key},
                         .texts = {"B", std::string(1, static_cast<char>('B' + offsets_[index]))},
                         .asked = {{0, 0}, {0, 1}},
                         .chance = 0.5,
                         .judge = [](std::span<const double> scores) -> Result<Verdict> {
                           return first_wins(scores);
                         }};
  }
  Result<media::Image> picture(const std::string& key) const override {
    if (num_read_) ++*num_read_;
    if (key == "1") return Error{ErrorCode::kInvalidInput, "is no picture", key};
    media::Image picture = media::Image::blank(1, 1);
    picture.pixels.assign(3, static_cast<uint8_t>(10 * std::stoi(key)));
    return picture;
  }

  static constexpr int kBad = 99;

 private:
  std::string name_;
  std::vector<int> offsets_;
  std::atomic<int>* num_read_;
};

// Letters further back in the alphabet score less.
ProbeScorer letter_scorer() {
  return {.score = [](const Batch& batch, std::span<const Match> asked) {
    std::vector<double> scores;
    for (const Match& match : asked)
      scores.push_back(batch.pixels.at(match.visual * size_t{3}) - batch.texts[match.text].at(0));
    return scores;
  }};
}

template <typename... Source>
ProbeSet set_of(const text::Tokenizer& tokenizer, unsigned num_threads, Source... source) {
  std::vector<std::unique_ptr<ProbeSource>> sources;
  (sources.push_back(std::make_unique<Source>(std::move(source))), ...);
  return ProbeSet(std::move(sources), tokenizer, {.num_threads = num_threads});
}

TEST(ProbeSet, CountsWhatIsRightTiedAndNotAskedByName) {
  LetterTokenizer tokenizer;
  // Picture 0: right, tied. Picture 1 cannot be read. Picture 2: wrong, bad. Picture 3: right.
  ProbeSet set =
      set_of(tokenizer, 2, LetterSource("mine", {1, 0, 1, 1, -1, LetterSource::kBad, 2, 3}));
  EXPECT_THAT(set.names(), testing::ElementsAre("mine", "mine/0", "mine/1"));
  ProbeReport report = set.ask(letter_scorer());
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

TEST(ProbeSet, ReadsEachPictureOnceForAllSourcesAndAskings) {
  LetterTokenizer tokenizer;
  std::atomic<int> num_read = 0;
  std::vector<int> offsets(400, 1);
  ProbeSet set = set_of(tokenizer,
                        1,
                        LetterSource("one", offsets, &num_read),
                        LetterSource("two", offsets, &num_read));
  EXPECT_EQ(set.num_pictures(), 200U);
  ProbeReport first = set.ask(letter_scorer());
  ProbeReport second = set.ask(letter_scorer());
  EXPECT_EQ(num_read, 200);
  EXPECT_EQ(first.scores[0].n, 398U);  // picture 1 cannot be read
  EXPECT_EQ(second.scores[3].value, 1);
}

TEST(ProbeSet, DoesNotDependOnThreads) {
  LetterTokenizer tokenizer;
  std::vector<int> offsets;
  for (int i = 0; i < 600; ++i) offsets.push_back(i * 7 % 5 - 2);
  std::vector<double> values;
  for (unsigned threads : {1U, 3U}) {
    ProbeSet set = set_of(tokenizer, threads, LetterSource("mine", offsets));
    ProbeScorer scorer = letter_scorer();
    scorer.is_safe_from_threads = threads > 1;
    for (const metrics::Measurement& score : set.ask(scorer).scores)
      values.insert(values.end(), {score.value, *score.low, *score.high});
  }
  ASSERT_EQ(values.size(), 18U);
  EXPECT_TRUE(std::equal(values.begin(), values.begin() + 9, values.begin() + 9));
}

TEST(ProbeSet, FailsQuestionsWhoseScoresAreNoNumbers) {
  LetterTokenizer tokenizer;
  ProbeSet set = set_of(tokenizer, 1, LetterSource("mine", {1, 1}));
  ProbeReport report = set.ask({.score = [](const Batch&, std::span<const Match> asked) {
    return std::vector<double>(asked.size(), NAN);
  }});
  EXPECT_EQ(report.num_failed, 2U);
  EXPECT_TRUE(std::isnan(report.scores[0].value));
  EXPECT_FALSE(report.scores[0].reason.empty());
}

TEST(ProbeSet, RefusesTwoOfOneNameAndFilesWithoutAQuestion) {
  LetterTokenizer tokenizer;
  EXPECT_THROW(set_of(tokenizer, 1, LetterSource("mine", {1}), LetterSource("mine", {1})), Error);
  EXPECT_THROW(set_of(tokenizer, 1, LetterSource("mine", {LetterSource::kBad})), Error);
}

TEST(NamingQuestion, TakesAnyThatIsThere) {
  ProbeQuestion question = naming_question("p", {"a", "b", "c"}, {2, 0});
  EXPECT_EQ(question.asked.size(), 3U);
  EXPECT_EQ(*question.judge(std::vector{0.1, 0.5, 0.6}), Verdict::kRight);
  EXPECT_EQ(*question.judge(std::vector{0.1, 0.5, 0.5}), Verdict::kTied);
  EXPECT_EQ(*question.judge(std::vector{0.1, 0.5, 0.4}), Verdict::kWrong);
}

}  // namespace
}  // namespace snellen::training
