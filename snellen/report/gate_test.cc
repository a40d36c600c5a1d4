// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/gate.h"

#include <limits>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_run.h"

namespace snellen::report {
namespace {

std::filesystem::path folder_of(const std::string& name,
                                double value,
                                const std::string& verdict = "complete") {
  HandmadeRun run = run_of("1");
  run.metrics = {{.id = "t/acc",
                  .value = value,
                  .n = 10,
                  .low = value - 0.1,
                  .high = value + 0.1,
                  .interval = "wilson"},
                 {.id = "t/empty", .value = 1.0, .n = 0},
                 {.id = "t/none",
                  .value = std::numeric_limits<double>::quiet_NaN(),
                  .n = 3,
                  .reason = "no spread"},
                 {.id = "t/pooled", .value = 0.9, .n = 3}};
  run.stamp = "{\"verdict\": \"" + verdict +
              R"(", "counts": {"t": {"total": 12, "scored": 10, "failed": 1, "skipped": 1}}})";
  return write_run(name, run);
}

GateVerdict ask(const std::string& requirement, Bound bound = Bound::kPoint) {
  return gate(
      {.run = folder_of("gate", 0.5), .requirements = {parse_requirement(requirement, bound)}});
}

ErrorCode code_of(const GateRequest& request) {
  try {
    gate(request);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

TEST(Gate, ComparesThePointOrABound) {
  EXPECT_TRUE(ask("t/acc>=0.5").is_met());
  EXPECT_FALSE(ask("t/acc>0.5").is_met());
  EXPECT_FALSE(ask("t/acc>=0.45", Bound::kLow).is_met());
  EXPECT_TRUE(ask("low(t/acc)>=0.4").is_met());
  EXPECT_TRUE(ask("high(t/acc)<=0.6").is_met());
  EXPECT_EQ(ask("t/acc>=0.5").num_unscored, 2U);
}

TEST(Gate, SaysThatAShareNeverReachesAPercentage) {
  EXPECT_NE(ask("t/acc>=30").checks[0].reason.find("0.30"), std::string::npos);
  EXPECT_TRUE(ask("t/acc>=0.9").checks[0].reason.empty());
}

TEST(Gate, NeverPassesWhatIsEmptyUndefinedOrWithoutTheBound) {
  for (const char* text : {"t/empty>=0",
                           "t/empty<=5",
                           "t/none>=0",
                           "t/none<=1",
                           "low(t/pooled)>=0",
                           "high(t/pooled)<=2"}) {
    GateVerdict verdict = ask(text);
    EXPECT_FALSE(verdict.is_met()) << text;
    EXPECT_FALSE(verdict.checks[0].reason.empty()) << text;
  }
  EXPECT_FALSE(GateVerdict{}.is_met());
}

TEST(Gate, ComparesWithABaselineAndItsMargin) {
  std::filesystem::path run = folder_of("gate_now", 0.5);
  std::filesystem::path before = folder_of("gate_before", 0.55);
  auto passes = [&](const char* text) {
    return gate({.run = run,
                 .baseline = before,
                 .requirements = {parse_requirement(text, Bound::kPoint)}})
        .is_met();
  };
  EXPECT_FALSE(passes("t/acc>=baseline"));
  EXPECT_FALSE(passes("t/acc>=baseline-0.02"));
  EXPECT_TRUE(passes("t/acc>=baseline-0.06"));
  EXPECT_TRUE(passes("t/acc<=baseline+0"));
  EXPECT_FALSE(passes("t/none>=baseline-1"));
}

TEST(Gate, NeedsAllRequirements) {
  GateVerdict verdict = gate({.run = folder_of("gate", 0.5),
                              .requirements = {parse_requirement("t/acc>=0.1", Bound::kPoint),
                                               parse_requirement("t/acc>=0.9", Bound::kPoint)}});
  EXPECT_FALSE(verdict.is_met());
  EXPECT_TRUE(verdict.checks[0].is_met);
}

TEST(Gate, RefusesUnknownMetricsNamingTheNearest) {
  try {
    ask("t/ac>=0.1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(error.hint().find("'t/acc'"), std::string::npos);
  }
  try {
    ask("entirely/different/thing>=0.1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("t/acc, t/empty"), std::string::npos);
  }
}

TEST(Gate, RefusesBaselinesThatDoNotFitTheRequirements) {
  std::filesystem::path run = folder_of("gate", 0.5);
  EXPECT_EQ(
      code_of({.run = run, .requirements = {parse_requirement("t/acc>=baseline", Bound::kPoint)}}),
      ErrorCode::kUsage);
  EXPECT_EQ(code_of({.run = run,
                     .baseline = run,
                     .requirements = {parse_requirement("t/acc>=0", Bound::kPoint)}}),
            ErrorCode::kUsage);
  EXPECT_EQ(code_of({.run = run, .requirements = {}}), ErrorCode::kUsage);
}

TEST(Gate, RefusesUnfinishedChangedAndDamagedRuns) {
  std::vector<Requirement> easy = {parse_requirement("t/acc>=0", Bound::kPoint)};
  for (const char* verdict : {"running", "interrupted", "else"}) {
    EXPECT_EQ(code_of({.run = folder_of("gate_open", 0.5, verdict), .requirements = easy}),
              ErrorCode::kInvalidInput)
        << verdict;
  }
  std::filesystem::path run = folder_of("gate_changed", 0.5);
  write_text_file(run / "run.json", R"({"verdict": "complete", "files": {"results.json": "00"}})");
  EXPECT_EQ(code_of({.run = run, .requirements = easy}), ErrorCode::kInvalidInput);
  run = folder_of("gate_damaged", 0.5);
  write_text_file(run / "results.json", "{");
  EXPECT_EQ(code_of({.run = run, .requirements = easy}), ErrorCode::kInvalidInput);
  std::filesystem::remove(run / "results.json");
  EXPECT_EQ(code_of({.run = run, .requirements = easy}), ErrorCode::kNotFound);
  EXPECT_TRUE(
      gate({.run = folder_of("gate_failures", 0.5, "failures"), .requirements = easy}).is_met());
}

// A run whose items are right where the pattern says so.
std::filesystem::path decided(const std::string& name, const std::string& pattern) {
  HandmadeRun run = run_of(pattern);
  run.metrics = {{.id = "t/acc", .value = 0.5, .n = pattern.size()}};
  return write_run(name, run);
}

TEST(GateNotWorse, PassesWhereTheWholeIntervalIsWithinTheMargin) {
  std::string pattern(400, '1');
  GateRequest request{.run = decided("equal_b", pattern)};
  request.not_worse = NotWorse{.base = decided("equal_a", pattern), .by = 0.02};
  GateVerdict verdict = gate(request);
  ASSERT_EQ(verdict.not_worse.size(), 1U);
  EXPECT_TRUE(verdict.is_met());
  // Wilson's bound of no discordant item among 400: 3.84 / 403.84.
  EXPECT_NEAR(*verdict.not_worse[0].worst, -0.00951, 1e-5);
  request.not_worse->by = 0.009;
  EXPECT_FALSE(gate(request).is_met());
}

TEST(GateNotWorse, TakesNoDifferenceFoundForNoProof) {
  // Ten of forty items changed, five each way: no difference, and far from certain.
  std::string base = "0000011111" + std::string(30, '1');
  std::string run = "1111100000" + std::string(30, '1');
  GateRequest request{.run = decided("unsure_b", run)};
  request.not_worse = NotWorse{.base = decided("unsure_a", base), .by = 0.01};
  GateVerdict verdict = gate(request);
  EXPECT_EQ(verdict.not_worse[0].row.difference, 0.0);
  EXPECT_FALSE(verdict.is_met());
}

TEST(GateNotWorse, NamesAMetricThatIsNotThereAndAMarginThatIsNone) {
  std::string pattern(10, '1');
  GateRequest request{.run = decided("named_b", pattern)};
  request.not_worse =
      NotWorse{.base = decided("named_a", pattern), .by = 0.3, .metrics = {"t/acc"}};
  EXPECT_EQ(gate(request).not_worse.size(), 1U);
  request.not_worse->metrics = {"t/other"};
  EXPECT_EQ(code_of(request), ErrorCode::kUsage);
  request.not_worse->metrics = {};
  request.not_worse->by = 0.0;
  EXPECT_EQ(code_of(request), ErrorCode::kUsage);
}

}  // namespace
}  // namespace snellen::report
