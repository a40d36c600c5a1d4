// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/report/pages/figure.h"

namespace snellen::report {
namespace {

using testing::HasSubstr;
using testing::Not;

metrics::Measurement measured(std::string id, double value) {
  return {.id = std::move(id), .value = value, .n = 10, .low = value - 0.1, .high = value + 0.1};
}

ReportRun run_of(const std::string& label, std::vector<metrics::Measurement> all) {
  ReportRun run{.stored = {.paths = store::RunPaths("runs/" + label), .stamp = {}},
                .name = label,
                .label = label};
  run.results.metrics = std::move(all);
  return run;
}

std::vector<Figure> drawn(const ReportInput& input) {
  std::vector<std::string> notes;
  return figures_of(input, notes);
}

const Figure& named(const std::vector<Figure>& figures, const std::string& name) {
  for (const Figure& figure : figures)
    if (figure.name == name) return figure;
  throw std::runtime_error("no figure " + name);
}

// `run --robustness similarity` measures other columns.
TEST(ProbeBFigures, ShowTheRobustnessThatWasMeasured) {
  const std::string start = "probe-b-cooccurrence/gray/";
  ReportInput input;
  input.runs.push_back(
      run_of("a",
             {measured(start + "gt/acc", 0.5),
              measured(start + "gt_mod/rel_robustness_similarity", 0.75),
              measured(start + "by-category/animal/gt_mod/change_similarity", 0.25)}));
  const std::vector<Figure> similar = drawn(input);
  const Figure& robustness = named(similar, "probe-b-cooccurrence-by-filler");
  EXPECT_THAT(robustness.svg, HasSubstr("Robustness of the similarity"));
  EXPECT_THAT(robustness.svg, Not(HasSubstr("Robustness of the confidence")));
  EXPECT_THAT(robustness.numbers.as_csv(),
              HasSubstr("probe-b-cooccurrence/*/gt_mod/rel_robustness_similarity,0.75,0.65"));
  const Figure& categories = named(similar, "probe-b-object-categories");
  EXPECT_THAT(categories.svg, HasSubstr("Change of similarity, filler gray"));
  EXPECT_THAT(categories.numbers.as_csv(), HasSubstr("change_similarity,0.25,0.15"));

  input.runs.push_back(run_of("b",
                              {measured(start + "gt_mod/rel_robustness", 0.5),
                               measured(start + "by-category/animal/gt_mod/change_conf", 0.125)}));
  const std::vector<Figure> both = drawn(input);
  EXPECT_THAT(named(both, "probe-b-cooccurrence-by-filler").svg,
              HasSubstr("Robustness of the confidence"));
  EXPECT_THAT(named(both, "probe-b-object-categories").svg, HasSubstr("Change of confidence"));
}

TEST(ProbeBFigures, FindTheTaskInARunOfSeveral) {
  ReportInput input;
  input.runs.push_back(
      run_of("a", {measured("a-task/acc", 0.5), measured("probe-b-background/gray/gt/map", 0.25)}));
  EXPECT_THAT(named(drawn(input), "probe-b-background-by-model").numbers.as_csv(),
              HasSubstr("a,probe-b-background/*/gt/map,0.25"));
}

}  // namespace
}  // namespace snellen::report
