// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/network_model.h"

#include <gmock/gmock.h>

#include "snellen/text/tokenizers/load_tokenizer.h"

namespace snellen::run {
namespace {

// A language model that finds a text the less likely the larger its tokens are.
class Counting : public models::Network, public models::LanguageModel {
 public:
  const models::NetworkFacts& facts() const override { return facts_; }
  const models::LanguageModel* language() const override { return this; }
  std::span<const std::string> unused_weights() const override { return {}; }
  std::vector<std::vector<double>> log_probabilities(std::span<const models::TokenIds> texts,
                                                     const models::SeenImage* /*image*/,
                                                     models::Trace* /*trace*/) const override {
    std::vector<std::vector<double>> all;
    for (const models::TokenIds& text : texts) {
      all.emplace_back();
      for (int32_t id : text) all.back().push_back(all.back().empty() ? 0 : -1e-3 * (id + 1));
    }
    return all;
  }

 private:
  models::NetworkFacts facts_ = {
      .family = "counting", .heads = {"likelihood"}, .is_row_exact = true};
};

std::unique_ptr<models::Model> counting_model() {
  OpenedNetwork opened;
  opened.network = std::make_unique<Counting>();
  opened.tokenizer =
      text::load_tokenizer({.folder = SNELLEN_SOURCE_DIR "/tests/golden/models/gpt2_sharded",
                            .family = {},
                            .clip_vocabulary = {}});
  return make_network_model(std::move(opened),
                            {.head = {}, .num_threads = 2, .working_folder = testing::TempDir()});
}

// Tells the model its asks, one text each, and gives their scores.
std::vector<double> scores_of(models::Model& model, const std::vector<std::string>& texts) {
  std::vector<models::Cell> cells;
  cells.reserve(texts.size());
  for (const std::string& text : texts) cells.push_back({"", text});
  const models::Ask ask{.item = "item", .cells = cells};
  model.prepare([&](const auto& visit) { visit(ask); }, {});
  return *model.score(ask);
}

TEST(NetworkModel, TakesFurtherAsksWhenThoseBeforeAreAnswered) {
  std::unique_ptr<models::Model> once = counting_model();
  std::vector<double> want =
      scores_of(*once, {"a red cat", "a blue dog", "a small thing on the table"});
  std::unique_ptr<models::Model> twice = counting_model();
  EXPECT_EQ(scores_of(*twice, {"a red cat", "a blue dog"}),
            (std::vector<double>{want[0], want[1]}));
  EXPECT_EQ(scores_of(*twice, {"a small thing on the table", "a red cat"}),
            (std::vector<double>{want[2], want[0]}));
  EXPECT_THAT(twice->notes(),
              testing::Contains(testing::StartsWith("2 asked for 4 scores over 0 distinct visuals "
                                                    "and 4 distinct texts")));
}

}  // namespace
}  // namespace snellen::run
