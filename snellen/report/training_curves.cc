// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/training_curves.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/formats/json.h"
#include "snellen/report/line_chart.h"

namespace snellen::report {
namespace {

using Json = nlohmann::json;

constexpr size_t kColumns = 4;
constexpr size_t kMostPoints = 300;  // a panel has not more pixels
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double number_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : kNone;
}

LoggedEvaluation evaluation_of(const Json& json, double step) {
  LoggedEvaluation evaluation = {
      .step = static_cast<uint64_t>(step), .loss = number_at(json, "loss"), .scores = {}};
  const auto scores = json.find("scores");
  if (scores == json.end() || !scores->is_array()) return evaluation;
  for (const Json& score : *scores) {
    if (score.is_object()) evaluation.scores.push_back(score_from_json(score));
  }
  return evaluation;
}

// Lowest and highest of each stretch, so that no outlier is lost.
std::vector<ChartPoint> outline_of(const TrainingCurves& curves) {
  std::vector<ChartPoint> points;
  const size_t count = curves.steps.size();
  const size_t stretch = std::max<size_t>(1, (count + kMostPoints - 1) / kMostPoints);
  for (size_t begin = 0; begin < count; begin += stretch) {
    const size_t end = std::min(begin + stretch, count);
    const auto [least, most] =
        std::minmax_element(curves.losses.begin() + static_cast<std::ptrdiff_t>(begin),
                            curves.losses.begin() + static_cast<std::ptrdiff_t>(end));
    points.push_back({curves.steps[begin], *least});
    if (end - begin > 1) points.push_back({curves.steps[end - 1], *most});
  }
  return points;
}

// A running mean that forgets a fiftieth of all steps (five at least); its start is not drawn to
// zero.
std::vector<ChartPoint> smoothed(const TrainingCurves& curves) {
  const size_t count = curves.steps.size();
  const double keeps = 1 - 1 / std::max(5.0, static_cast<double>(count) / 50);
  const size_t stretch = std::max<size_t>(1, (count + kMostPoints - 1) / kMostPoints);
  std::vector<ChartPoint> points;
  double sum = 0, weight = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!std::isfinite(curves.losses[i])) continue;
    sum = sum * keeps + curves.losses[i];
    weight = weight * keeps + 1;
    if (i % stretch == 0 || i + 1 == count) points.push_back({curves.steps[i], sum / weight});
  }
  return points;
}

LineChart loss_chart(const TrainingCurves& curves) {
  LineChart chart = {.title = "loss", .x_title = "step"};
  chart.lines.push_back({.name = "", .points = outline_of(curves), .is_thin = true});
  chart.lines.push_back({.name = "training", .points = smoothed(curves)});
  ChartLine held_out = {.name = "held out", .points = {}};
  for (const LoggedEvaluation& one : curves.evaluations) {
    if (std::isfinite(one.loss))
      held_out.points.push_back({static_cast<double>(one.step), one.loss});
  }
  if (!held_out.points.empty()) chart.lines.push_back(std::move(held_out));
  return chart;
}

LineChart score_chart(const TrainingCurves& curves, const std::string& name) {
  LineChart chart = {.title = name == "naming" ? "naming (drift)" : name,
                     .x_title = "step",
                     .lines = {{.name = name, .points = {}}},
                     .is_share = true};
  for (const LoggedEvaluation& one : curves.evaluations) {
    for (const metrics::Measurement& score : one.scores) {
      if (score.id != name) continue;
      chart.lines[0].points.push_back(
          {static_cast<double>(one.step), score.value, score.low, score.high});
      chart.subtitle = fmt::format("n {}, interval 95 %", score.n);
      chart.level = score.chance;
      chart.level_name = "chance";
    }
  }
  return chart;
}

}  // namespace

metrics::Measurement score_from_json(const Json& json) {
  metrics::Measurement score;
  if (const auto name = json.find("name"); name != json.end() && name->is_string())
    score.id = *name;
  score.value = number_at(json, "value");
  if (const double n = number_at(json, "n"); n >= 0 && n < 1e15) score.n = static_cast<uint64_t>(n);
  const double low = number_at(json, "low"), high = number_at(json, "high");
  if (std::isfinite(low) && std::isfinite(high)) {
    score.low = low;
    score.high = high;
  }
  if (const double chance = number_at(json, "chance"); std::isfinite(chance)) score.chance = chance;
  return score;
}

TrainingCurves read_training_log(const std::filesystem::path& file) {
  TrainingCurves curves;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const Json json = formats::parse_json(line);
    if (!json.is_object()) continue;
    const double step = number_at(json, "step");
    if (!(step >= 0 && step < 1e15)) continue;
    const auto evaluation = json.find("evaluation");
    if (evaluation != json.end() && evaluation->is_object()) {
      curves.evaluations.push_back(evaluation_of(*evaluation, step));
    } else {
      curves.steps.push_back(step);
      curves.losses.push_back(number_at(json, "loss"));
    }
  }
  if (in.bad()) throw Error{ErrorCode::kIo, "cannot be read to its end", file.string()};
  return curves;
}

std::string training_curves_svg(const TrainingCurves& curves) {
  std::vector<LineChart> charts = {loss_chart(curves)};
  std::vector<std::string> names;
  for (const LoggedEvaluation& one : curves.evaluations) {
    for (const metrics::Measurement& score : one.scores) {
      if (std::find(names.begin(), names.end(), score.id) == names.end()) names.push_back(score.id);
    }
  }
  for (const std::string& name : names) charts.push_back(score_chart(curves, name));
  return charts_as_svg(charts, kColumns);
}

}  // namespace snellen::report
