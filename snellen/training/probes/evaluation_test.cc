// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/evaluation.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/testing/handmade_training.h"
#include "snellen/training/probes/evaluation_json.h"

namespace snellen::training {
namespace {

// Finds every other match; of contrasts the first of each sample is right, the others tie.
class HalfRight final : public Learner {
 public:
  StepReport step(std::span<const Batch>, double) override { return {}; }
  Evaluation evaluate(const Batch& batch) override {
    Evaluation result = {.loss = 2, .matches = {}, .contrasts = {}};
    for (size_t i = 0; i < batch.matches.size(); ++i)
      result.matches.push_back(i % 2 == 0 ? Verdict::kRight : Verdict::kWrong);
    for (size_t i = 0; i < batch.contrasts.size(); ++i)
      result.contrasts.push_back(i % 2 == 0 ? Verdict::kRight : Verdict::kTied);
    return result;
  }
  uint64_t num_parameters() const override { return 0; }
  uint64_t num_steps() const override { return 0; }
  void write_weights(const std::filesystem::path&, models::ElementType, bool) const override {}
  void write_state(const std::filesystem::path&) const override {}
  void read_state(const std::filesystem::path&, uint64_t) override {}
};

Batch held_out() {
  Batch batch;
  batch.num_visuals = 4;
  batch.matches = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  batch.contrasts = {{{0, 0}, {0, 1}, 0.25F, "attribute", 0},
                     {{1, 1}, {0, 1}, 0.25F, "attribute", 0},
                     {{2, 2}, {2, 3}, 0.5F, "relation", 1}};
  return batch;
}

TEST(Evaluate, NamesSharesWithTheirCountsAndIntervals) {
  HalfRight learner;
  std::vector<Batch> batches = {held_out(), held_out()};
  std::vector<uint64_t> told;
  EvaluationReport report = evaluate(learner, batches, nullptr, [&](uint64_t done, uint64_t total) {
    told.insert(told.end(), {done, total});
  });
  EXPECT_EQ(told, (std::vector<uint64_t>{1, 2, 2, 2}));
  EXPECT_EQ(report.loss, 2);
  ASSERT_EQ(report.scores.size(), 3U);
  EXPECT_EQ(report.scores[0].id, "held-out/found");
  EXPECT_EQ(report.scores[0].n, 8U);
  EXPECT_EQ(report.scores[0].value, 0.5);
  EXPECT_EQ(report.scores[0].interval, "wilson");
  EXPECT_EQ(report.scores[1].id, "held-out/attribute");
  EXPECT_EQ(report.scores[1].ties, 2U);
  EXPECT_EQ(report.scores[1].interval, "");  // two of one sample, two samples in all
  EXPECT_EQ(report.scores[1].reason, "too few clusters for an interval");
  EXPECT_EQ(report.scores[2].id, "held-out/relation");
  EXPECT_EQ(report.scores[2].n, 2U);
  EXPECT_EQ(report.scores[2].value, 1);
  EXPECT_THAT(
      watchable_names(batches, nullptr),
      testing::ElementsAre("loss", "held-out/found", "held-out/attribute", "held-out/relation"));
  EXPECT_EQ(evaluation_to_json(report)["scores"][1]["chance"], 0.5);
}

TEST(Evaluate, HasNoLossWithoutBatches) {
  HalfRight learner;
  EvaluationReport report = evaluate(learner, {}, nullptr);
  EXPECT_TRUE(std::isnan(report.loss));
  EXPECT_FALSE(report.value("loss"));
  EXPECT_TRUE(evaluation_to_json(report)["loss"].is_null());
}

TEST(EarlyStopping, WantsALowerLossAndAHigherShare) {
  EarlyStopping watch;
  EvaluationReport report;
  report.loss = 1;
  report.scores = {{.id = "naming", .value = 0.5}};
  watch.see("loss", report);
  watch.see("loss", report);
  EXPECT_EQ(watch, (EarlyStopping{1.0, 1}));
  report.loss = 0.5;
  watch.see("loss", report);
  EXPECT_EQ(watch, (EarlyStopping{0.5, 0}));
  EarlyStopping share;
  for (double value : {0.5, 0.75, 0.25, 0.75}) {
    report.scores[0].value = value;
    share.see("naming", report);
  }
  EXPECT_EQ(share, (EarlyStopping{0.75, 2}));
  share.see("unknown", report);
  EXPECT_EQ(share.num_worse, 3U);
}

}  // namespace
}  // namespace snellen::training
