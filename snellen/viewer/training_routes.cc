// SPDX-License-Identifier: Apache-2.0
// Logs of trainings as series of points.
#include <map>

#include "snellen/report/pages/report_input.h"
#include "snellen/report/training_curves.h"
#include "snellen/viewer/to_json.h"
#include "snellen/viewer/viewer.h"

namespace snellen::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostTrainings = 50;
constexpr size_t kMostPoints = 4000;  // of a curve: more than a screen has columns

Json optional_json(const std::optional<double>& value) {
  return value ? number_json(*value) : Json();
}

Json training_json(const report::ReportFile& file) {
  const report::TrainingCurves curves = report::read_training_log(file.path);
  Json steps = Json::array(), losses = Json::array();
  const size_t stride = curves.steps.size() / kMostPoints + 1;
  for (size_t i = 0; i < curves.steps.size(); i += stride) {
    steps.push_back(curves.steps[i]);
    losses.push_back(number_json(curves.losses[i]));
  }
  std::map<std::string, Json> probes;
  for (const report::LoggedEvaluation& one : curves.evaluations) {
    for (const metrics::Measurement& score : one.scores) {
      Json& probe = probes[score.id];
      if (probe.is_null()) probe["name"] = score.id;
      probe["steps"].push_back(one.step);
      probe["values"].push_back(number_json(score.value));
      probe["low"].push_back(optional_json(score.low));
      probe["high"].push_back(optional_json(score.high));
    }
  }
  Json json = {{"name", file.name}, {"steps", std::move(steps)}, {"losses", std::move(losses)}};
  json["probes"] = Json::array();
  for (auto& [name, probe] : probes) json["probes"].push_back(std::move(probe));
  return json;
}

}  // namespace

Json Viewer::trainings(const http::Request&) {
  Json list = Json::array();
  uint64_t num_left_out = 0;
  for (const std::filesystem::path& place : shelf_.places()) {
    for (const report::ReportFile& file : report::find_trainings(place)) {
      if (list.size() < kMostTrainings) {
        list.push_back(training_json(file));
      } else {
        ++num_left_out;
      }
    }
  }
  return {{"trainings", std::move(list)}, {"left_out", num_left_out}};
}

}  // namespace snellen::viewer
