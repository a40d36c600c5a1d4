// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/training_curves.h"

#include <unistd.h>

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kLog =
    R"({"step":0,"evaluation":{"loss":2.5,"scores":[{"name":"naming","value":0.5,"n":8,"low":0.2,"high":0.8,"ties":0}]}}
{"step":1,"loss":2.0,"lr":0.1}
{"step":2,"loss":null,"lr":0.1}
{"step":2,"evaluation":{"loss":1.5,"scores":[{"name":"naming","value":0.75,"n":8,"low":0.4,"high":0.9,"ties":0},{"name":"a<b","value":null,"n":0,"low":null,"high":null,"chance":0.5}]}}
{"step":3,"lo)";

class TrainingCurvesTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove(file_); }
  TrainingCurves read(const std::string& text) {
    write_text_file(file_, text);
    return read_training_log(file_);
  }
  fs::path file_ = fs::temp_directory_path() / fmt::format("snellen_curves_{}.jsonl", ::getpid());
};

TEST_F(TrainingCurvesTest, ReadsStepsAndEvaluationsAndPassesByHalfALine) {
  TrainingCurves curves = read(kLog);
  EXPECT_EQ(curves.steps, (std::vector<double>{1, 2}));
  EXPECT_EQ(curves.losses[0], 2);
  EXPECT_TRUE(std::isnan(curves.losses[1]));
  ASSERT_EQ(curves.evaluations.size(), 2U);
  EXPECT_EQ(curves.evaluations[1].scores[0].value, 0.75);
  EXPECT_EQ(curves.evaluations[1].scores[0].low, 0.4);
  EXPECT_EQ(curves.evaluations[1].scores[1].chance, 0.5);
}

TEST_F(TrainingCurvesTest, DrawsAPanelForEveryScore) {
  std::string svg = training_curves_svg(read(kLog));
  EXPECT_THAT(svg, HasSubstr("naming (drift)"));
  EXPECT_THAT(svg, HasSubstr("a&lt;b"));
  EXPECT_THAT(svg, HasSubstr("held out 1.5"));
  EXPECT_THAT(svg, HasSubstr("nothing yet"));  // of a<b
}

TEST_F(TrainingCurvesTest, StaysSmallForLongTrainings) {
  std::string log;
  for (int i = 1; i <= 20000; ++i)
    log += fmt::format("{{\"step\":{},\"loss\":{}}}\n", i, 100.0 / i);
  EXPECT_LT(training_curves_svg(read(log)).size(), 40'000U);
}

TEST_F(TrainingCurvesTest, TakesAFileThatIsNotThere) {
  EXPECT_TRUE(read_training_log(file_).steps.empty());
}

}  // namespace
}  // namespace snellen::report
