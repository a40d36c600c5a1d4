// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/visdial_metrics.h"

#include <cmath>

#include <gmock/gmock.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

using testing::ElementsAre;

class VisdialMetricsOf : public testing::Test {
 protected:
  VisdialMetricsOf() {
    table_.add("yes", std::vector<double>{1.0});
    table_.add("no", std::vector<double>{3.0});
    table_.add("maybe", std::vector<double>{2.0});
  }

  VisdialMetrics metrics(VisdialSettings settings) const {
    return {references_, {.cider = &corpus_, .meteor = meteor_, .fasttext = &encoder_}, settings};
  }

  // Filled before the corpus is made of them.
  static text::StringSets three_sets() {
    text::StringSets sets;
    for (auto& set : std::vector<std::vector<std::string>>{{"yes", "no"}, {" "}, {"maybe"}}) {
      sets.start_set();
      for (const std::string& text : set) sets.add(text);
    }
    return sets;
  }

  text::StringSets references_ = three_sets();
  text::VectorTable table_{1};
  text::CachedSentences encoder_{table_, "cache"};
  CiderCorpus corpus_{references_, {.n = 1}};
  std::function<double(std::string_view, size_t)> meteor_ = [](std::string_view text, size_t) {
    return text == "yes" ? 1.0 : 0.0;
  };
};

TEST_F(VisdialMetricsOf, AnEntryAreMeansOverNonEmptyGenerations) {
  VisdialMetrics all =
      VisdialMetrics(references_, {.cider = nullptr, .meteor = meteor_, .fasttext = &encoder_}, {});
  EXPECT_THAT(
      all.columns(),
      ElementsAre("meteor", "fasttext_l2", "fasttext_cs", "fasttext_l2_best", "fasttext_cs_best"));
  std::vector<std::string> generations = {"yes", " ", "no"};
  VisdialEntry entry = all.evaluate(0, generations);
  EXPECT_EQ(entry.num_empty, 1u);
  EXPECT_DOUBLE_EQ(entry.values[0], 0.5);
  EXPECT_NEAR(entry.values[1], 1.0, 1e-5);  // both at 0 and 2 from the references
  EXPECT_NEAR(entry.values[2], 1.0, 1e-9);
  EXPECT_NEAR(entry.values[3], 0.0, 1e-5);
}

TEST_F(VisdialMetricsOf, CompatHasOnlyThePublishedColumns) {
  corpus_.score("yes", 0);
  VisdialMetrics compat(
      references_, {.meteor = {}, .bert = &encoder_, .fasttext = &encoder_}, {.is_compat = true});
  EXPECT_THAT(compat.columns(), ElementsAre("bert_l2", "bert_cs", "fasttext_l2", "fasttext_cs"));
}

TEST_F(VisdialMetricsOf, AnEntryWithoutGenerationsIsSkippedOrRefused) {
  std::vector<std::string> generations = {"", " "};
  VisdialEntry entry = metrics({}).evaluate(0, generations);
  EXPECT_TRUE(entry.is_skipped);
  EXPECT_EQ(entry.num_empty, 2u);
  for (double value : entry.values) EXPECT_TRUE(std::isnan(value));
  EXPECT_TRUE(metrics({}).evaluate(0, {}).is_skipped);
  EXPECT_THROW(metrics({.is_strict = true}).evaluate(0, generations), Error);
  EXPECT_THROW(metrics({.is_compat = true}).evaluate(0, generations), Error);
}

TEST_F(VisdialMetricsOf, BlankReferencesLeaveOnlyTheEmbeddingMetricsUndefined) {
  std::vector<std::string> generations = {"yes"};
  VisdialEntry entry = metrics({}).evaluate(1, generations);
  EXPECT_TRUE(entry.lacks_references);
  EXPECT_FALSE(entry.is_skipped);
  EXPECT_EQ(entry.values[0], 0.0);  // CIDEr with a blank reference
  EXPECT_TRUE(std::isnan(entry.values[2]));
  EXPECT_THROW(metrics({.is_compat = true}).evaluate(1, generations), Error);
}

TEST(VisdialSummary, LeavesUndefinedValuesOut) {
  std::vector<VisdialEntry> entries(3);
  entries[0].values = {1.0, NAN};
  entries[1].values = {3.0, NAN};
  entries[1].num_empty = 2;
  entries[2].values = {NAN, NAN};
  entries[2].is_skipped = true;
  VisdialSummary summary = summarize({"a", "b"}, entries);
  EXPECT_EQ(summary.columns[0].n, 2u);
  EXPECT_DOUBLE_EQ(summary.columns[0].mean, 2.0);
  EXPECT_DOUBLE_EQ(summary.columns[0].std, 1.0);
  EXPECT_EQ(summary.columns[1].n, 0u);
  EXPECT_TRUE(std::isnan(summary.columns[1].mean));
  EXPECT_EQ(summary.num_skipped, 1u);
  EXPECT_THAT(compat_lines(summary),
              ElementsAre("# question-answer pairs: 3",
                          "--------------------",
                          "a\t\tb\t\tempty\t\t",
                          "--------------------",
                          "2.0000 (1.0000)\tnan (nan)\t2.0000 (0.0000)\t",
                          "--------------------"));
}

}  // namespace
}  // namespace snellen::metrics
