// SPDX-License-Identifier: Apache-2.0
// What a report asks runs for is what tasks measure: no headline, bar or published column names a
// metric that no task has.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/report/pages/figure.h"
#include "snellen/report/pages/metric_rules.h"
#include "snellen/report/pages/published.h"
#include "snellen/tasks/probe_b/cooccurrence/task.h"
#include "snellen/tasks/task.h"

namespace snellen {
namespace {

// Of all items of a task together, which no column declares. Each is asserted by name in the unit
// test of its task.
constexpr const char* kPooled[] = {
    "bias-close/accuracy",
    "bias-close/bias_score",
    "bias-close/by-category/Age/accuracy",
    "bias-close/by-category/Disability_status/accuracy",
    "bias-close/by-category/Gender_identity/accuracy",
    "bias-close/by-category/Nationality/accuracy",
    "bias-close/by-category/Physical_appearance/accuracy",
    "bias-close/by-category/Race_ethnicity/accuracy",
    "bias-close/by-category/Race_x_gender/accuracy",
    "bias-close/by-category/Race_x_SES/accuracy",
    "bias-close/by-category/Religion/accuracy",
    "bias-close/by-category/SES/accuracy",
    "bias-close/by-condition/ambig/accuracy",
    "bias-open/range_VADER",
    "control/clean/c_share",
    "control/e2/c_share",
    "control/image_reliance",
};

void add_columns(const std::string& task,
                 const std::vector<std::string>& parts,
                 const std::vector<tasks::Column>& columns,
                 std::set<std::string>& ids) {
  for (const std::string& part : parts.empty() ? std::vector<std::string>{""} : parts) {
    for (const tasks::Column& column : columns) {
      ids.insert(metrics::metric_id(task, part, column.name));
      if (column.has_breakdown)
        ids.insert(metrics::metric_id(task, part, "by-category/animal/" + column.name));
    }
  }
}

std::set<std::string> measured_ids() {
  std::set<std::string> ids(std::begin(kPooled), std::end(kPooled));
  for (const auto& entry : tasks::built_in_tasks()) {
    const tasks::TaskFacts& facts = entry->facts();
    add_columns(facts.name, facts.parts, facts.columns, ids);
    if (facts.name == "probe-b-cooccurrence")
      add_columns(facts.name,
                  facts.parts,
                  tasks::probe_b_cooccurrence::columns(std::nullopt,
                                                       tasks::probe_b::Robustness::kSimilarity),
                  ids);
    // Its parts are the files of a user.
    if (facts.name == "visdial-sets") add_columns(facts.name, {"refs_S"}, facts.columns, ids);
  }
  return ids;
}

report::ReportInput everything() {
  report::ReportInput input;
  // CLIPs of both kinds, for the figure that compares them.
  for (const char* model : {"clip-rn50", "clip-vit"}) {
    report::ReportRun run{
        .stored = {.paths = store::RunPaths("runs/x"), .stamp = {}, .model = model},
        .name = model,
        .label = model};
    // No two have the same value.
    double value = input.runs.empty() ? 0.25 : 0.5;
    for (const std::string& id : measured_ids()) {
      value += 1.0 / 4096;
      run.results.metrics.push_back(
          {.id = id, .value = value, .n = 100, .low = value - 0.125, .high = value + 0.125});
    }
    input.runs.push_back(std::move(run));
  }
  return input;
}

TEST(MetricNames, EveryHeadlineIsMeasured) {
  const std::set<std::string> ids = measured_ids();
  for (const report::MetricRule& rule : report::headline_rules())
    EXPECT_TRUE(
        std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return rule.names(id); }))
        << rule.start << " ... " << rule.end;
}

TEST(MetricNames, EveryBarOfAFigureIsMeasured) {
  const std::set<std::string> ids = measured_ids();
  std::vector<std::string> notes;
  std::set<std::string> drawn;
  for (const report::Figure& figure : report::figures_of(everything(), notes)) {
    drawn.insert(figure.name);
    EXPECT_FALSE(figure.asked.empty()) << figure.name;
    for (const std::string& id : figure.asked) EXPECT_TRUE(ids.contains(id)) << figure.name << id;
  }
  EXPECT_THAT(drawn,
              testing::IsSupersetOf({"probe-r-radar",
                                     "probe-c-scores",
                                     "probe-c-categories",
                                     "probe-c-towers",
                                     "probe-b-background-by-filler",
                                     "probe-b-background-by-model",
                                     "probe-b-cooccurrence-by-filler",
                                     "probe-b-cooccurrence-by-model",
                                     "probe-b-object-categories",
                                     "vilma-tasks",
                                     "control-ladder",
                                     "bias-close"}));
}

TEST(Figures, HaveTheNumbersOfTheResults) {
  const report::ReportInput input = everything();
  std::vector<std::string> notes;
  for (const report::Figure& figure : report::figures_of(input, notes)) {
    const nlohmann::json rows = nlohmann::json::parse(figure.numbers.as_json());
    EXPECT_FALSE(rows.empty()) << figure.name;
    for (const nlohmann::json& row : rows) {
      const auto model = row["model"].get<std::string>(), id = row["metric"].get<std::string>();
      const metrics::Measurement* one = input.find(model, id);
      if (one == nullptr) continue;  // a mean of several
      EXPECT_EQ(row["value"], fmt::format("{}", one->value)) << figure.name << id;
      EXPECT_EQ(row["low"], fmt::format("{}", *one->low)) << figure.name << id;
      EXPECT_EQ(row["high"], fmt::format("{}", *one->high)) << figure.name << id;
      EXPECT_EQ(row["n"], "100");
    }
  }
}

// Of models, of fillers, of models with one kind of tower.
TEST(Figures, AverageTheNumbersOfTheResults) {
  const report::ReportInput input = everything();
  std::vector<std::string> notes;
  size_t num_means = 0;
  for (const report::Figure& figure : report::figures_of(input, notes)) {
    for (const nlohmann::json& row : nlohmann::json::parse(figure.numbers.as_json())) {
      const auto name = row["model"].get<std::string>(), id = row["metric"].get<std::string>();
      if (input.find(name, id) != nullptr) continue;
      double sum = 0, count = 0;
      for (const report::ReportRun& run : input.runs) {
        for (const metrics::Measurement& one : run.results.metrics) {
          const size_t star = id.find('*');
          const bool is_tower = run.label == "clip-rn50" ? name == "ResNet" : name == "ViT";
          const bool is_one =
              star == std::string::npos
                  ? one.id == id && is_tower
                  : one.id.starts_with(id.substr(0, star)) &&
                        one.id.ends_with(id.substr(star + 1)) &&
                        one.id.find("by-category") == std::string::npos &&
                        (run.label == name || one.id.find("/" + name + "/") != std::string::npos);
          if (!is_one) continue;
          sum += one.value;
          ++count;
        }
      }
      ASSERT_GT(count, 0) << figure.name << name << id;
      EXPECT_NEAR(std::stod(row["value"].get<std::string>()), sum / count, 1e-12) << figure.name;
      ++num_means;
    }
  }
  EXPECT_GT(num_means, 20U);
}

TEST(MetricNames, EveryPublishedColumnIsMeasured) {
  const std::set<std::string> ids = measured_ids();
  for (const report::PublishedPaper& paper : report::published_papers())
    for (const report::PublishedTable& table : paper.tables)
      for (const auto& column : table.columns)
        EXPECT_TRUE(column.ours.empty() || ids.contains(column.ours)) << table.name << column.ours;
}

}  // namespace
}  // namespace snellen
