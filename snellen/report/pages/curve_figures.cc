// SPDX-License-Identifier: Apache-2.0
// Curves of trainings and of patch sweeps, from the files that those verbs wrote.
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/report/alpha_curve.h"
#include "snellen/report/pages/figure.h"
#include "snellen/report/training_curves.h"

namespace snellen::report {
namespace {

constexpr size_t kMostRows = 10'000;
constexpr size_t kMostShown = 500;  // rows of numbers below a figure

std::vector<AlphaRow> rows_of(const nlohmann::json& curve, const std::string& where) {
  std::vector<AlphaRow> rows;
  for (const nlohmann::json& row : curve.value("rows", nlohmann::json::array())) {
    if (!row.is_object() || !row.contains("alpha") || !row["alpha"].is_number() ||
        rows.size() == kMostRows)
      throw Error{ErrorCode::kInvalidInput, "is no sweep of alpha", where};
    AlphaRow read{.alpha = row["alpha"], .folder = "", .scores = {}};
    for (const nlohmann::json& score : row.value("scores", nlohmann::json::array()))
      if (score.is_object()) read.scores.push_back(score_from_json(score));
    if (!rows.empty() && rows.front().scores.size() != read.scores.size())
      throw Error{ErrorCode::kInvalidInput, "has rows of several lengths", where};
    rows.push_back(std::move(read));
  }
  return rows;
}

Figure sweep_figure(const ReportFile& file, size_t number) {
  const nlohmann::json curve =
      formats::parse_json_object(read_text_file(file.path), file.path.string());
  const std::vector<AlphaRow> rows = rows_of(curve, file.path.string());
  Figure figure{fmt::format("patch-sweep-{}", number),
                fmt::format("Patch sweep {}", fit_text(file.name)),
                "What each share of the fine-tuned weights scores, with 95 % intervals.",
                alpha_curve_svg(rows, std::nullopt),
                numbers_table()};
  for (const AlphaRow& row : rows) {
    for (const metrics::Measurement& score : row.scores)
      add_number(figure.numbers, fmt::format("alpha {}", row.alpha), score.id, score, score.chance);
  }
  return figure;
}

Figure training_figure(const ReportFile& file, size_t number) {
  const TrainingCurves curves = read_training_log(file.path);
  Figure figure{fmt::format("training-{}", number),
                fmt::format("Training {}", fit_text(file.name)),
                "Loss of each step (pale), its running mean, and every probe with its interval.",
                training_curves_svg(curves),
                numbers_table()};
  size_t num_rows = curves.steps.size();
  auto add = [&](double step, const metrics::Measurement& one) {
    add_number(figure.numbers, fmt::format("step {}", step), one.id, one, one.chance);
  };
  for (size_t i = 0; i < curves.steps.size(); ++i)
    add(curves.steps[i], {.id = "loss", .value = curves.losses[i]});
  for (const LoggedEvaluation& one : curves.evaluations) {
    const auto step = static_cast<double>(one.step);
    if (std::isfinite(one.loss)) add(step, {.id = "held-out loss", .value = one.loss});
    for (const metrics::Measurement& score : one.scores) add(step, score);
    num_rows += 1 + one.scores.size();
  }
  figure.has_many_numbers = num_rows > kMostShown;
  return figure;
}

}  // namespace

std::vector<Figure> curve_figures(const ReportInput& input, std::vector<std::string>& notes) {
  std::vector<Figure> figures;
  auto add = [&](const auto& draw, const std::vector<ReportFile>& files) {
    for (size_t i = 0; i < files.size(); ++i) {
      try {
        figures.push_back(draw(files[i], i + 1));
      } catch (const Error& error) {
        notes.push_back(fmt::format("{}: {}", fit_text(files[i].name), error.message()));
      }
    }
  };
  add(sweep_figure, input.sweeps);
  add(training_figure, input.trainings);
  return figures;
}

}  // namespace snellen::report
