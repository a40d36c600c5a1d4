// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/visdial_sets.h"

#include <numeric>

#include <fmt/format.h>

#include "snellen/builders/densevisdial/reference_set.h"
#include "snellen/cca/view_rows.h"
#include "snellen/metrics/visdial/ranking.h"
#include "snellen/metrics/visdial/set_overlap.h"
#include "tests/golden_runner/visdial_checks.h"

namespace snellen::golden {

void expect_rows(Tally& tally, const cca::Rows& got, const Json& want, const std::string& what) {
  tally.expect(static_cast<size_t>(got.rows()) == want.size(), fmt::format("{}: rows", what));
  for (int64_t i = 0; i < got.rows(); ++i)
    for (int64_t j = 0; j < got.cols(); ++j)
      tally.near(got(i, j), want[static_cast<size_t>(i)][static_cast<size_t>(j)], 1e-8, what);
}

void expect_eigenvalues(Tally& tally, const cca::Projections& found, const Json& want) {
  for (int64_t i = 0; i < found.num_dimensions(); ++i)
    tally.near(found.eigenvalues(i), want[static_cast<size_t>(i)], 1e-9, "eigenvalue");
}

namespace {

namespace sets = builders::densevisdial;
using Numbers = std::vector<double>;

cca::Rows rows_of(const Json& json) {
  cca::Rows rows(static_cast<int64_t>(json.size()), static_cast<int64_t>(json[0].size()));
  for (int64_t i = 0; i < rows.rows(); ++i)
    for (int64_t j = 0; j < rows.cols(); ++j)
      rows(i, j) = json[static_cast<size_t>(i)][static_cast<size_t>(j)].get<double>();
  return rows;
}

cca::Projections fitted(const std::vector<cca::Rows>& views, const Json& vector) {
  std::vector<uint32_t> each(static_cast<size_t>(views[0].rows()));
  std::iota(each.begin(), each.end(), 0U);
  std::vector<int64_t> widths;
  std::vector<cca::ViewRows> rows;
  for (const cca::Rows& view : views) {
    widths.push_back(view.cols());
    rows.push_back({{view.data(), view.rows(), view.cols()}, each});
  }
  return cca::fit(
      cca::covariance_of(rows, 2),
      widths,
      {.num_dimensions = vector["k"].get<int64_t>(), .eps = vector.value("eps", 1e-12)});
}

void check_projection(Tally& tally, const cca::Projections& found, const Json& vector) {
  for (const Json& want : vector["expected"]["by_p"]) {
    const auto power = want["p"].get<double>();
    const cca::Rows answers = found.project(0, rows_of(vector["test_answers"]), power);
    const cca::Rows questions = found.project(1, rows_of(vector["test_questions"]), power);
    expect_rows(tally, answers, want["projected_answers"], "projected answers");
    expect_rows(tally, questions, want["projected_questions"], "projected questions");
    cca::Rows correlations(questions.rows(), answers.rows());
    for (int64_t i = 0; i < questions.rows(); ++i)
      for (int64_t j = 0; j < answers.rows(); ++j)
        correlations(i, j) = cca::cosine(questions.row(i), answers.row(j));
    expect_rows(tally, correlations, want["correlations"], "correlations");
  }
}

void check_set(Tally& tally, const std::string& letter, const Json& vector) {
  const Numbers correlations = vector["correlations"];
  const Numbers relevance = vector["relevance"];
  const auto given = vector["gt_index"].get<size_t>();
  const sets::Members human = sets::human_members(relevance, given);
  const sets::Rule rule = sets::rule_of(letter);
  const sets::Members members =
      rule == sets::Rule::kHuman ? human : sets::members_of(rule, correlations, given);
  const Json& want = vector["expected"][letter];
  std::vector<size_t> places;
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i]) places.push_back(i);
  tally.expect(places == want["members"].get<std::vector<size_t>>(),
               fmt::format("{}: members", letter));
  const sets::SetFigures figures = sets::figures_of(members, correlations);
  tally.expect(figures.size == want["size"].get<uint64_t>(), fmt::format("{}: size", letter));
  tally.near(figures.mean, want["mean"], 1e-9, fmt::format("{}: mean", letter));
  tally.near(figures.sd, want["std"], 1e-9, fmt::format("{}: std", letter));
  if (want.contains("overlap") && !want["overlap"].is_null()) {
    const metrics::visdial::SetOverlap overlap = metrics::visdial::set_overlap(members, human);
    tally.near(100 * overlap.precision,
               want["overlap"]["precision"],
               1e-9,
               fmt::format("{}: precision", letter));
    tally.near(
        100 * overlap.recall, want["overlap"]["recall"], 1e-9, fmt::format("{}: recall", letter));
    tally.near(100 * overlap.iou, want["overlap"]["IOU"], 1e-9, fmt::format("{}: IOU", letter));
  }
  if (!want.contains("bandwidth")) return;
  Numbers others = correlations;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(given));
  const sets::MeanShift shift = sets::mean_shift(others);
  tally.near(shift.bandwidth, want["bandwidth"], 1e-9, "bandwidth");
  tally.same(Json(shift.centres), want["centers_desc"], 1e-9, "centres");
}

}  // namespace

void check_cca(const Context& context, Tally& tally) {
  const Json vectors = context.json();
  for (const Json& vector : vectors["two_view"]) {
    tally.start("two views");
    const cca::Projections found =
        fitted({rows_of(vector["answers"]), rows_of(vector["questions"])}, vector);
    const Json& want = vector["expected"];
    expect_eigenvalues(tally, found, want["eigenvalues"]);
    expect_rows(tally, found.views[0].weights, want["W_answer"], "weights of answers");
    expect_rows(tally, found.views[1].weights, want["W_question"], "weights of questions");
    check_projection(tally, found, vector);
  }
  tally.start("three views");
  const Json& vector = vectors["three_view"];
  const cca::Projections found =
      fitted({rows_of(vector["answers"]), rows_of(vector["images"]), rows_of(vector["questions"])},
             vector);
  const Json& want = vector["expected"];
  expect_eigenvalues(tally, found, want["eigenvalues"]);
  expect_rows(tally, found.views[0].weights, want["W_answer"], "weights of answers");
  expect_rows(tally, found.views[1].weights, want["W_image"], "weights of images");
  expect_rows(tally, found.views[2].weights, want["W_question"], "weights of questions");
}

void check_clusters(const Context& context, Tally& tally) {
  const Json vectors = context.json();
  size_t number = 0;
  for (const Json& vector : vectors["cases"]) {
    tally.start(fmt::format("case {}", number++));
    for (const char* letter : {"S", "M", "G", "H"}) check_set(tally, letter, vector);
    const metrics::visdial::OtsuSplit split =
        metrics::visdial::otsu(vector["correlations"].get<Numbers>());
    tally.near(split.threshold, vector["expected"]["otsu"], 1e-9, "Otsu's threshold");
    tally.expect(split.num_above == vector["expected"]["otsu_ge"].get<uint64_t>(),
                 "scores above Otsu's threshold");
  }
}

void check_retrieval(const Context& context, Tally& tally) {
  const Json vectors = context.json();
  size_t number = 0;
  stats::Moments gains;
  for (const Json& row : vectors["rows"]) {
    tally.start(fmt::format("row {}", number++));
    const Json& want = row["expected"];
    const std::vector<uint32_t> ranks = metrics::visdial::ranks_of(row["scores"].get<Numbers>());
    tally.expect(ranks == want["ranks"].get<std::vector<uint32_t>>(), "ranks");
    tally.expect(ranks[row["gt_index"].get<size_t>()] == want["gt_rank"].get<uint32_t>(),
                 "rank of the given answer");
    const std::optional<double> gain =
        metrics::visdial::ndcg(ranks, row["relevance"].get<Numbers>());
    tally.expect(gain.has_value() != want["ndcg"].is_null(), "NDCG is defined");
    if (!gain) continue;
    tally.near(*gain, want["ndcg"], 1e-9, "NDCG");
    gains.add(*gain);
  }
  tally.start("NDCG over all rows");
  tally.near(gains.mean(), vectors["expected"]["NDCG"], 1e-9, "mean");
  tally.expect(gains.count() == vectors["expected"]["NDCG_rows_used"].get<uint64_t>(), "rows used");
  tally.start("means over all rounds");
  RankMeters meters;
  for (const Json& row : vectors["rows"])
    meters.add(
        metrics::visdial::ranks_of(row["scores"].get<Numbers>())[row["gt_index"].get<size_t>()]);
  meters.compare(tally, vectors["expected"]);
}

}  // namespace snellen::golden
