// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/base64.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/report/pages/mean_measurement.h"
#include "snellen/report/pages/published.h"
#include "snellen/report/pages/report_page.h"

namespace snellen::report {
namespace {

using testing::HasSubstr;
using testing::Not;

metrics::Measurement measured(std::string id, double value, double low, double high) {
  return {.id = std::move(id), .value = value, .n = 100, .low = low, .high = high};
}

ReportInput input_of(const std::string& model, std::vector<metrics::Measurement> all) {
  ReportInput input;
  ReportRun run{.stored = {.paths = store::RunPaths("runs/x"), .stamp = {}, .verdict = "complete"},
                .name = "x",
                .label = model};
  run.results.metrics = std::move(all);
  input.runs.push_back(std::move(run));
  return input;
}

TEST(PublishedPapers, HoldAllNumbersOfTheSpecs) {
  size_t cells = 0, models = 0;
  for (const PublishedPaper& paper : published_papers()) {
    for (const PublishedTable& table : paper.tables) {
      if (table.name == "probe-table-3")
        for (const auto& row : table.rows)
          for (const std::string& cell : row.cells) cells += cell != "-";
      if (table.name == "vilma-leaderboard") models = table.rows.size() - 1;
    }
    EXPECT_TRUE(!paper.tables.empty() || !paper.none.empty()) << paper.paper;
  }
  EXPECT_EQ(cells, 26U);
  EXPECT_EQ(models, 16U);
}

// Every cell was compared with the paper's page in docs/spec/ when this was written. Whoever
// changes one looks there again, and writes down what the test says.
TEST(PublishedPapers, AreTheNumbersThatWereLookedUp) {
  const std::map<std::string, std::string> expected = {{"probe-table-2", "94ba1c82cdb8"},
                                                       {"probe-table-3", "21d38663d06c"},
                                                       {"vilma-leaderboard", "3bd72d07ce32"},
                                                       {"vlbiasbench-close", "5b738f08dfdf"},
                                                       {"vlbiasbench-open", "eb5f28e515f7"}};
  std::map<std::string, std::string> found;
  for (const PublishedPaper& paper : published_papers()) {
    for (const PublishedTable& table : paper.tables) {
      std::string cells;
      for (const auto& row : table.rows) {
        cells += row.name;
        for (const std::string& cell : row.cells) cells += "\t" + cell;
        cells += "\n";
      }
      found[table.name] = sha256_hex(cells).substr(0, 12);
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(PublishedTables, ShowOursBelowThePapers) {
  const ReportInput input = input_of("mine", {measured("vilma/counting/PT", 0.5, 0.4, 0.6)});
  for (const PublishedPaper& paper : published_papers()) {
    for (const PublishedTable& table : paper.tables) {
      if (table.name != "vilma-leaderboard") continue;
      EXPECT_TRUE(is_relevant(table, input));
      const std::string csv = published_table(table, input).as_csv();
      EXPECT_THAT(csv, HasSubstr("CLIP,published,46.20,"));
      EXPECT_THAT(csv, HasSubstr("mine,ours,\"50.0 [40.0, 60.0]\",-"));
    }
  }
}

PublishedTable published(const std::string& name) {
  for (const PublishedPaper& paper : published_papers())
    for (const PublishedTable& table : paper.tables)
      if (table.name == name) return table;
  throw std::runtime_error("no table " + name);
}

TEST(PublishedTables, KeepTheMarkOfWhatIsPartlyHidden) {
  const ReportInput none;
  EXPECT_THAT(published_table(published("vlbiasbench-open"), none).as_csv(),
              HasSubstr("Gemini,published,0.062~,0.043~,0.142~,0.029\n"));
  EXPECT_THAT(published_table(published("vlbiasbench-close"), none).as_csv(),
              HasSubstr("Qwen-VL,published,0.466,0.475~,0.472,"));
}

ReportRun open_run_of(const std::string& name, const std::string& type, double range) {
  ReportRun run{.stored = {.paths = store::RunPaths("runs/x"), .stamp = {}, .model = "mine"},
                .name = name,
                .label = name};
  if (!type.empty()) run.stored.stamp["identity"]["settings"]["type"] = type;
  run.results.metrics = {measured("bias-open/range_VADER", range, range / 2, range * 2)};
  return run;
}

TEST(PublishedTables, PutTheSetsOfOneModelIntoOneRow) {
  ReportInput input;
  input.runs = {open_run_of("a", "gender", 0.1),
                open_run_of("b", "religious_ideology", 0.2),
                open_run_of("c", "profession-emo", 0.3),
                open_run_of("d", "profession-nohuman", 0.4)};
  const PublishedTable table = published("vlbiasbench-open");
  EXPECT_TRUE(is_relevant(table, input));
  EXPECT_THAT(published_table(table, input).as_csv(),
              HasSubstr("mine,ours,\"0.100 [0.050, 0.200]\",-,\"0.200 [0.100, 0.400]\","
                        "\"0.300 [0.150, 0.600] (profession-emo); 0.400 [0.200, 0.800] "
                        "(profession-nohuman)\"\n"));
  EXPECT_TRUE(runs_without_place(table, input).empty());
  input.runs.push_back(open_run_of("e", "", 0.5));
  ASSERT_EQ(runs_without_place(table, input).size(), 1U);
  EXPECT_THAT(runs_without_place(table, input)[0], HasSubstr("e: names no set of"));
}

TEST(PublishedTables, TakeImageNetFromAsManyImagesOnly) {
  ReportInput input = input_of("mine", {measured("zeroshot/top1", 0.5, 0.4, 0.6)});
  EXPECT_THAT(published_table(published("probe-table-3"), input).as_csv(), Not(HasSubstr("ours")));
  input.runs[0].results.metrics[0].n = 50'000;
  EXPECT_THAT(published_table(published("probe-table-3"), input).as_csv(),
              HasSubstr("mine,ours,\"50.0 [40.0, 60.0]\",-,-,-"));
}

TEST(PublishedTables, RefuseAFileWithTooFewCells) {
  EXPECT_THROW(published_from_json(R"({"paper":"p","tables":[{"name":"n","title":"t","note":"",
    "kind":"number","columns":[{"name":"a","ours":""}],"rows":[{"name":"r","values":[]}]}]})",
                                   "file"),
               Error);
  EXPECT_THROW(published_from_json("[]", "file"), Error);
}

TEST(MeanMeasurement, AveragesBoundsAndLeavesUndefinedOnesOut) {
  const metrics::Measurement a = measured("a", 0.2, 0.1, 0.3), b = measured("b", 0.6, 0.5, 0.9), c;
  const metrics::Measurement* all[] = {&a, &b, &c};
  const metrics::Measurement mean = mean_measurement(all);
  EXPECT_DOUBLE_EQ(mean.value, 0.4);
  EXPECT_DOUBLE_EQ(*mean.low, 0.3);
  EXPECT_DOUBLE_EQ(*mean.high, 0.6);
  EXPECT_TRUE(std::isnan(mean_measurement({}).value));
}

TEST(ReportPage, EscapesWhatRunsSay) {
  const ReportInput input =
      input_of("<script>alert(1)</script>", {measured("t/\"><img onerror=x>/acc", 0.5, 0.4, 0.6)});
  const std::string html = report_as_html(make_report(input));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
}

TEST(ReportPage, EscapesWhatRunsSayInMarkdownAndLatex) {
  Report report = make_report(
      input_of("m\n# heading", {measured("t/![x](http:y)<script>/acc", 0.5, 0.4, 0.6)}));
  report.notes = {"<img src=x>\n\n# a note", "100 %"};
  report.tables[0].title = "title\n\\input{/etc/passwd}";
  report.figures = {Figure{"name", "[a](b)\n# c", "- `x` <b>", "<svg></svg>", numbers_table()}};
  const std::string markdown = report_as_markdown(report), latex = report_as_latex(report);
  EXPECT_THAT(markdown, HasSubstr("> \\<img src=x\\>  # a note\n"));
  EXPECT_THAT(markdown, HasSubstr("![\\[a\\](b) # c](figures/name.svg)"));
  EXPECT_THAT(markdown, HasSubstr("** \\- \\`x\\` \\<b\\>\n"));
  EXPECT_THAT(markdown, Not(HasSubstr("\n# ")));
  EXPECT_THAT(markdown, Not(HasSubstr("![x]")));
  EXPECT_THAT(latex, HasSubstr("% title \\textbackslash{}input\\{/etc/passwd\\}: "));
  EXPECT_THAT(latex, Not(HasSubstr("\\input{/")));
}

TEST(ReportPage, ShowsOnPaperWhatIsFolded) {
  const std::string html = report_as_html(
      make_report(input_of("m", {measured("probe-c/composition/text", 0.5, 0.4, 0.6)})));
  // What stands within <details> stays hidden on paper where it is closed.
  EXPECT_THAT(html,
              HasSubstr("<details><summary>Numbers</summary></details><div class=\"wide folded\""));
  EXPECT_THAT(html, HasSubstr("details:not([open])+.folded{display:block}"));
}

// The page of one run, whole. To renew it after a change that was looked at:
// SNELLEN_RENEW_GOLDEN=1 report_test --gtest_filter='ReportPage.*'.
TEST(ReportPage, IsThePageThatWasLookedAt) {
  const std::filesystem::path golden =
      std::filesystem::path(SNELLEN_SOURCE_DIR) / "snellen/report/pages/golden";
  const Report report =
      make_report(input_of("clip",
                           {measured("probe-c/composition/group", 0.25, 0.2, 0.3),
                            measured("probe-c/composition/image", 0.5, 0.45, 0.55),
                            measured("probe-c/composition/text", 0.5625, 0.5, 0.625),
                            measured("vilma/counting/PT", 0.5, 0.4, 0.6)}));
  for (const auto& [name, text] : {std::pair{"report.html", report_as_html(report)},
                                   std::pair{"report.md", report_as_markdown(report)},
                                   std::pair{"tables.tex", report_as_latex(report)}}) {
    if (std::getenv("SNELLEN_RENEW_GOLDEN") != nullptr) write_text_file(golden / name, text);
    EXPECT_EQ(text, read_text_file(golden / name)) << name;
  }
}

TEST(ReportPage, NamesTheHashOfItsOneStyle) {
  const std::string html = report_as_html(make_report(input_of("m", {measured("t/acc", 1, 1, 1)})));
  const size_t begin = html.find("<style>") + 7, end = html.find("</style>");
  EXPECT_EQ(html.find("<style", end), std::string::npos);
  EXPECT_THAT(html, HasSubstr("'sha256-" + base64(sha256_bytes(html.substr(begin, end - begin)))));
  EXPECT_THAT(html, Not(HasSubstr("unsafe-inline")));
}

TEST(ReportPage, ShowsTheNumbersOfTheResults) {
  const ReportInput input =
      input_of("m", {measured("probe-c/composition/text", 0.123456789012345, 0.1, 0.2)});
  const Report report = make_report(input);
  ASSERT_EQ(report.figures.size(), 1U);
  EXPECT_THAT(report.figures[0].numbers.as_csv(), HasSubstr("0.123456789012345"));
  EXPECT_THAT(report_as_latex(report), HasSubstr("\\begin{tabular}"));
  EXPECT_THAT(report_as_latex(report), HasSubstr("12.3 \\%"));
}

TEST(HeadlineIds, TakeTheAccuracyOfATaskThatIsNotKnown) {
  store::Results results;
  results.metrics = {measured("mine/a", 1, 1, 1),
                     measured("mine/acc", 1, 1, 1),
                     measured("mine/by-category/x/acc", 1, 1, 1)};
  EXPECT_EQ(headline_ids(results), std::vector<std::string>{"mine/acc"});
}

}  // namespace
}  // namespace snellen::report
