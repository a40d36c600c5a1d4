// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/task.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/task.h"
#include "snellen/tasks/visdial_gen/result_file.h"
#include "snellen/tasks/visdial_gen/settings.h"

namespace snellen::tasks::visdial_gen {
namespace {

config::Options options_with(const std::vector<std::pair<const char*, const char*>>& given) {
  config::Options options(std::vector<config::Block>{
      settings_block(), config::Block(SharedSettings{}, shared_options())});
  options.set("num-workers", "1", "test");
  options.set("adapter", "given", "test");
  for (const auto& [name, value] : given) options.set(name, value, "test");
  return options;
}

// Outcomes handed to the task as a run would.
class Given : public OutcomeReader {
 public:
  std::vector<StoredItem> items;
  void for_each_scored(std::string_view,
                       const std::function<void(const StoredItem&)>& visit) override {
    for (const StoredItem& item : items) visit(item);
  }
};

TEST(VisdialGen, TakesDistancesAsBetterWhenLow) {
  EXPECT_TRUE(column_of("cider_1").higher_is_better);
  EXPECT_FALSE(column_of("bert_l2").higher_is_better);
  EXPECT_FALSE(column_of("fasttext_l2_best").higher_is_better);
  EXPECT_TRUE(column_of("fasttext_cs_best").higher_is_better);
}

TEST(VisdialGen, ScoresWithEveryMetricWhoseFilesAreNamed) {
  Settings settings = settings_of(options_with({{"bert-cache", "b.json"}}), false);
  EXPECT_TRUE(settings.wants_cider);
  EXPECT_TRUE(settings.wants_meteor);
  EXPECT_EQ(settings.bert_vectors, "b.json");
  EXPECT_TRUE(settings.words.is_empty());
  EXPECT_FALSE(settings_of(options_with({{"metrics", "cider"}}), false).wants_meteor);
  EXPECT_FALSE(settings_of(options_with({{"no-meteor", "true"}}), false).wants_meteor);
}

TEST(VisdialGen, RefusesSettingsThatDoNotFit) {
  EXPECT_THROW(settings_of(options_with({{"metrics", "bert"}}), false), Error);
  EXPECT_THROW(settings_of(options_with({{"n", "0"}}), false), Error);
  EXPECT_THROW(settings_of(options_with({{"no-overlap", "true"}}), false), Error);
}

TEST(VisdialGen, KeepsTheCountsOfAnEntryByName) {
  metrics::VisdialEntry entry{
      .values = {0.5}, .num_empty = 2, .num_absent_words = 3, .lacks_references = true};
  metrics::VisdialEntry again = entry_of(outcome_of(entry));
  EXPECT_EQ(again.num_empty, 2U);
  EXPECT_EQ(again.num_absent_words, 3U);
  EXPECT_TRUE(again.lacks_references);
  EXPECT_FALSE(again.is_skipped);
  EXPECT_TRUE(outcome_of({.values = {1}}).named.empty());
}

TEST(VisdialGen, WritesMeanAndPopulationDeviationOfDefinedEntries) {
  Given given;
  for (double value : {1.0, 3.0, std::nan("")}) {
    metrics::VisdialEntry entry{.values = {value}};
    entry.is_skipped = std::isnan(value);
    entry.num_empty = entry.is_skipped ? 1 : 0;
    given.items.push_back({.position = given.items.size(),
                           .id = fmt::format("7/{}", given.items.size()),
                           .clusters = {"7"},
                           .category = {},
                           .outcome = outcome_of(entry)});
  }
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               fmt::format("snellen_visdial_{}.json", fmt::ptr(&given));
  write_result_file(path,
                    {.columns = {"meteor"},
                     .settings_json = "{}",
                     .meteor_paraphrase = false,
                     .warnings = {"first"}},
                    given);
  ReadResult read = read_result_file(path);
  std::string text = read_text_file(path);
  std::filesystem::remove(path);
  EXPECT_EQ(read.summary.num_pairs, 3U);
  EXPECT_EQ(read.summary.num_empty, 1U);
  EXPECT_EQ(read.summary.num_skipped, 1U);
  ASSERT_EQ(read.summary.columns.size(), 1U);
  EXPECT_EQ(read.summary.columns[0].mean, 2);
  EXPECT_EQ(read.summary.columns[0].std, 1);
  EXPECT_EQ(read.summary.columns[0].n, 2U);
  EXPECT_EQ(read.warnings.size(), 2U);
  EXPECT_NE(text.find("{\"image_id\": 7, \"round_id\": 2, \"empty\": 1, \"meteor\": null}"),
            std::string::npos);
}

}  // namespace
}  // namespace snellen::tasks::visdial_gen
