// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/driver.h"

#include <gmock/gmock.h>

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
                      .working_folder = testing::TempDir()});
}

// Tells the model its asks, one text each, and gives their scores.
std::vector<double> scores_of(models::Model& model, const std::vector<std::string>& texts) {
  std::vector<models::Cell> cells;
  cells.reserve(texts.size());
  for (const std::string& text : texts) cells.push_back({"", text});
  const models::Ask ask{.item = "item", .cells = cells};
  model.prepare([&](const models::AskVisitor& visitor) { visitor.visit(ask); }, {});
  return *model.score(ask);
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
      testing::IsSupersetOf(
          {testing::StartsWith("2 items requested 4 scores for 0 distinct visuals and 3 distinct "
                               "texts"),
           testing::StartsWith("0 decoded, 0 visuals and 3 texts through the network")}));
}

TEST(Driver, SplitsWhatDoesNotFitAndLosesNothing) {
  const std::vector<std::string> texts = {
      "a red cat", "a blue dog", "a small thing", "a table", "a wet cat on a mat"};
  std::unique_ptr<models::Model> roomy = counting_model();
  std::vector<double> want = scores_of(*roomy, texts);
  std::unique_ptr<models::Model> tight = counting_model({.max_texts = 2});
  EXPECT_EQ(scores_of(*tight, texts), want);
  // Five are two and three, three are one and two.
  EXPECT_THAT(tight->notes(),
              testing::Contains(testing::StartsWith("2 batches did not fit into the device's")));
}

TEST(Driver, WhatDoesNotFitAloneFailsAlone) {
  std::unique_ptr<models::Model> none = counting_model({.max_texts = 0});
  const std::vector<models::Cell> cells = {{"", "a red cat"}};
  const models::Ask ask{.item = "item", .cells = cells};
  none->prepare([&](const models::AskVisitor& visitor) { visitor.visit(ask); }, {});
  EXPECT_THAT(none->score(ask).error().message(), testing::HasSubstr("not even alone"));
}

}  // namespace
}  // namespace snellen::inference
