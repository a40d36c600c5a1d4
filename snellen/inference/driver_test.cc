// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/driver.h"

#include <atomic>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "snellen/inference/network_parts.h"
#include "snellen/testing/asked_pairs.h"
#include "snellen/text/tokenizers/load_tokenizer.h"

namespace snellen::inference {
namespace {

class OutOfMemory : public std::exception {};

// A language model that finds a text the less likely the larger its tokens are.
class Counting : public models::Network, public models::LanguageModel {
 public:
  explicit Counting(size_t max_texts) : max_texts_(max_texts) {}
  const models::NetworkFacts& facts() const override { return facts_; }
  const models::LanguageModel* language() const override { return this; }
  std::span<const std::string> unused_weights() const override { return {}; }
  std::vector<std::vector<double>> log_probabilities(std::span<const models::TokenIds> texts,
                                                     const models::SeenImage* /*image*/,
                                                     models::Trace* /*trace*/) const override {
    std::vector<std::vector<double>> all;
    if (texts.size() > max_texts_) throw OutOfMemory();
    for (const models::TokenIds& text : texts) {
      all.emplace_back();
      for (int32_t id : text) all.back().push_back(all.back().empty() ? 0 : -1e-3 * (id + 1));
    }
    return all;
  }

 private:
  size_t max_texts_;
  models::NetworkFacts facts_ = {
      .family = "counting", .heads = {"likelihood"}, .is_row_exact = true};
};

struct CountingOptions {
  size_t max_texts = 1000;  // more at once do not fit
  bool is_asked_in_parts = false;
};

std::unique_ptr<models::Model> counting_model(const CountingOptions& options = {}) {
  OpenedNetwork opened;
  opened.network = std::make_unique<Counting>(options.max_texts);
  opened.is_out_of_memory = [](const std::exception& thrown) {
    return dynamic_cast<const OutOfMemory*>(&thrown) != nullptr;
  };
  opened.tokenizer =
      text::load_tokenizer({.folder = SNELLEN_SOURCE_DIR "/tests/golden/models/gpt2_sharded",
                            .family = {},
                            .clip_vocabulary = {}});
  return make_driver(std::move(opened),
                     {.head = {},
                      .is_asked_in_parts = options.is_asked_in_parts,
                      .num_threads = 2,
                      .working_folder = ::testing::TempDir()});
}

// Tells the model its asks, one text each, and gives their scores.
std::vector<double> scores_of(models::Model& model, const std::vector<std::string>& texts) {
  std::vector<snellen::testing::NamedPair> pairs;
  for (const std::string& text : texts) pairs.push_back({"a", text});
  return snellen::testing::AskedPairs(pairs).scored_by(model)->values;
}

TEST(Driver, TakesFurtherAsksWhenThoseBeforeAreAnswered) {
  std::unique_ptr<models::Model> once = counting_model();
  std::vector<double> want =
      scores_of(*once, {"a red cat", "a blue dog", "a small thing on the table"});
  std::unique_ptr<models::Model> twice = counting_model({.is_asked_in_parts = true});
  EXPECT_EQ(scores_of(*twice, {"a red cat", "a blue dog"}),
            (std::vector<double>{want[0], want[1]}));
  EXPECT_EQ(scores_of(*twice, {"a small thing on the table", "a red cat"}),
            (std::vector<double>{want[2], want[0]}));
  EXPECT_THAT(
      twice->notes(),
      ::testing::IsSupersetOf(
          {::testing::StartsWith("2 items requested 4 scores for 0 distinct visuals and 3 distinct "
                                 "texts"),
           ::testing::StartsWith("0 decoded, 0 visuals and 3 texts through the network")}));
}

TEST(Driver, SplitsWhatDoesNotFitAndLosesNothing) {
  const std::vector<std::string> texts = {
      "a red cat", "a blue dog", "a small thing", "a table", "a wet cat on a mat"};
  std::unique_ptr<models::Model> roomy = counting_model();
  std::vector<double> want = scores_of(*roomy, texts);
  std::unique_ptr<models::Model> tight = counting_model({.max_texts = 2});
  EXPECT_EQ(scores_of(*tight, texts), want);
  // Five are two and three, three are one and two.
  EXPECT_THAT(
      tight->notes(),
      ::testing::Contains(::testing::StartsWith("2 batches did not fit into the device's")));
}

TEST(Driver, WhatDoesNotFitAloneFailsAlone) {
  std::unique_ptr<models::Model> none = counting_model({.max_texts = 0});
  const std::vector<snellen::testing::NamedPair> pairs = {{"a", "a red cat"}};
  const Result<questions::Scores> scored = snellen::testing::AskedPairs(pairs).scored_by(*none);
  EXPECT_THAT(scored.error().message(), ::testing::HasSubstr("not even alone"));
}

// Scores a text by its length and answers with what it was asked.
class Echo : public models::Worker {
 public:
  const models::WorkerTraits& traits() const override { return traits_; }
  std::vector<models::Model::Identity> identity() const override { return {}; }
  Result<models::WorkerAnswer> score(const models::WorkerQuestion& question,
                                     const IsStopped&) const override {
    models::WorkerAnswer answer;
    for (const std::string_view text : question.texts) {
      answer.values.push_back(static_cast<double>(text.size()));
      answer.masses.push_back(0.5 / static_cast<double>(text.size()));
    }
    return answer;
  }
  Result<models::WorkerReply> answer(const models::WorkerQuestion& question,
                                     const IsStopped&) const override {
    ++*num_answers;
    if (question.texts.front() == "refused") return Error{ErrorCode::kInvalidInput, "not this"};
    return models::WorkerReply{
        .text = fmt::format(
            "{} {} {}", question.texts.front(), question.repeat, question.place ? "seen" : "blind"),
        .facts = {.finish_reason = "stop", .is_refused = true}};
  }
  std::shared_ptr<std::atomic<int>> num_answers = std::make_shared<std::atomic<int>>(0);

 private:
  models::WorkerTraits traits_ = {
      .at_once = 2, .answers = true, .takes_texts_alone = true, .has_masses = true};
};

struct AnsweredItem {
  std::vector<questions::Visual> visuals = {{.name = "a", .source = media::VisualPlace{"a.png"}}};
  questions::Texts texts;
  std::vector<questions::Question> questions;
  models::Ask ask() const {
    return {.item = "i", .visuals = visuals, .texts = &texts, .questions = questions};
  }
};

std::unique_ptr<models::Model> model_of(std::unique_ptr<const models::Worker> worker) {
  OpenedNetwork opened;
  opened.worker = std::move(worker);
  return make_driver(std::move(opened), {.working_folder = ::testing::TempDir()});
}

TEST(Driver, GivesAnswersBesideScoresEachDistinctQuestionOnce) {
  using questions::Wants;
  auto echo = std::make_unique<Echo>();
  const auto num_answers = echo->num_answers;
  const auto model = model_of(std::move(echo));
  AnsweredItem both{.texts = {{"one"}, {"three"}},
                    .questions = {{.visual = 0, .texts = {1}, .wants = Wants::kAnswer},
                                  {.visual = 0, .texts = {0, 1}},
                                  {.visual = 0, .texts = {1}, .wants = Wants::kAnswer, .repeat = 1},
                                  {.visual = 7, .texts = {0}, .wants = Wants::kAnswer},
                                  {.visual = 1, .texts = {0}, .wants = Wants::kAnswer}}};
  both.visuals.push_back(questions::nothing_shown({ErrorCode::kInvalidInput, "shows nothing"}));
  AnsweredItem bad{.texts = {{"refused"}},
                   .questions = {{.visual = 0, .texts = {0}, .wants = Wants::kAnswer}}};
  models::AskPlan* plan = model->plan();
  plan->add(both.ask());
  EXPECT_TRUE(plan->knows(both.ask()));
  EXPECT_FALSE(plan->knows(bad.ask()));
  plan->add(both.ask());
  plan->add(bad.ask());
  model->begin({});
  for (int turn = 0; turn < 2; ++turn) {
    const Result<questions::Scores> scores = model->score(both.ask());
    ASSERT_TRUE(scores);
    EXPECT_THAT(scores->values, ::testing::ElementsAre(3, 5));
    EXPECT_THAT(scores->masses, ::testing::ElementsAre(0.5 / 3, 0.1));
    EXPECT_THAT(
        scores->answers,
        ::testing::ElementsAre("three 0 seen", "three 1 seen", "one 0 blind", "one 0 blind"));
    EXPECT_TRUE(scores->answer_facts[0].is_refused);
    EXPECT_EQ(scores->answer_facts[0].finish_reason, "stop");
  }
  const Result<questions::Scores> failed = model->score(bad.ask());
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(), "not this");
  EXPECT_EQ(*num_answers, 4);
}

TEST(Driver, SaysThatANetworkGivesNoAnswers) {
  const auto model = counting_model();
  AnsweredItem item{.texts = {{"one"}},
                    .questions = {{.texts = {0}, .wants = questions::Wants::kAnswer}}};
  model->plan()->add(item.ask());
  model->begin({});
  const Result<questions::Scores> scores = model->score(item.ask());
  ASSERT_FALSE(scores);
  EXPECT_THAT(scores.error().message(), ::testing::HasSubstr("no answers"));
}

}  // namespace
}  // namespace snellen::inference
