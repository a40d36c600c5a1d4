// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/compare_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/testing/handmade_run.h"

namespace snellen::report {
namespace {

Comparison small() {
  HandmadeRun first = run_of("00000000", {0, 0, 0, 0, 0, 0, 0, 0});
  HandmadeRun second = run_of("11111111", {1, 0, 0, 0, 0, 0, 0, 0});
  first.samples[0].item = second.samples[0].item = "![x](http://evil) | <b>\x1b[2J";
  first.stamp = R"({"verdict": "complete", "identity": {"settings": {"name": "<script>"}}})";
  return compare_runs(
      std::vector<std::filesystem::path>{write_run("text_a", first), write_run("text_b", second)},
      {.bootstrap = 100});
}

TEST(CompareText, ShowsCountsIntervalAndFamilies) {
  std::string text = comparison_as_text(small());
  EXPECT_NE(text.find("only B"), std::string::npos);
  EXPECT_NE(text.find("[+1.0000, +1.0000] bootstrap"), std::string::npos);
  EXPECT_NE(text.find("0.00781"), std::string::npos);  // 2 / 2^8
  EXPECT_NE(text.find("B better"), std::string::npos);
  EXPECT_NE(text.find("Holm's families: 1 decisions of tasks; 0 decisions of parts; 2 metrics"),
            std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(CompareText, EscapesTextsOfTheRunsInMarkdown) {
  std::string text = comparison_as_markdown(small());
  EXPECT_NE(text.find("## Decisions"), std::string::npos);
  EXPECT_NE(text.find("!\\[x\\](http://evil) \\| \\<b\\>"), std::string::npos);
  EXPECT_NE(text.find("\\<script\\>"), std::string::npos);
  EXPECT_EQ(text.find("| <"), std::string::npos);
}

TEST(CompareText, WritesOneCsvTable) {
  std::string csv = comparison_as_csv(small());
  EXPECT_EQ(csv.find("first,second,kind,id,unit"), 0U);
  EXPECT_NE(
      csv.find("A,B,task,t,share,true,8,0,0.0,1.0,1.0,1.0,1.0,bootstrap,0,0,0,0,8,0,0.0078125"),
      std::string::npos)
      << csv;
}

TEST(CompareText, SaysTheSameInJson) {
  nlohmann::json json = nlohmann::json::parse(comparison_as_json(small()));
  EXPECT_NEAR(json["rows"][0]["p"], 0.0078125, 1e-15);
  EXPECT_EQ(json["rows"][0]["counts"]["only_second"], 8);
  EXPECT_EQ(json["families"]["metric"], 2);
  EXPECT_EQ(json["items"].size(), 1U);
  EXPECT_EQ(json["coverage"][0]["common"], 8);
}

TEST(CompareText, CallsTheSmallerBetterWhereLowerIs) {
  Comparison comparison{.options = {}, .runs = {{.label = "A"}, {.label = "B"}}};
  ComparedRow row{.higher_is_better = false};
  row.difference = 0.5;
  row.p_holm = 0.01;
  EXPECT_EQ(finding_of(row, comparison), "A better");
  row.p_holm = 0.05;
  EXPECT_EQ(finding_of(row, comparison), "none found");
}

}  // namespace
}  // namespace snellen::report
