// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/evaluation_json.h"

#include <cmath>

namespace snellen::training {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace

Json score_to_json(const metrics::Measurement& score) {
  Json json = {{"name", score.id}, {"value", number(score.value)}, {"n", score.n}};
  json["low"] = score.low ? Json(*score.low) : Json();
  json["high"] = score.high ? Json(*score.high) : Json();
  json["interval"] = score.interval;
  json["ties"] = score.ties;
  if (score.chance) json["chance"] = *score.chance;
  if (!score.reason.empty()) json["reason"] = score.reason;
  return json;
}

Json evaluation_to_json(const EvaluationReport& evaluation) {
  Json json = {{"loss", number(evaluation.loss)}, {"scores", Json::array()}};
  for (const metrics::Measurement& score : evaluation.scores)
    json["scores"].push_back(score_to_json(score));
  if (evaluation.num_failed > 0) {
    json["failed"] = evaluation.num_failed;
    json["reasons"] = evaluation.reasons;
  }
  return json;
}

}  // namespace snellen::training
