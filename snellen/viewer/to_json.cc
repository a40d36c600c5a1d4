// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/to_json.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "snellen/base/ascii.h"
#include "snellen/formats/json.h"
#include "snellen/store/error_json.h"
#include "snellen/viewer/pictures.h"

namespace snellen::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostShown = 200;  // texts, visuals and scores of one item in a list
constexpr auto kVideoEndings =
    std::to_array<std::string_view>({".mp4", ".webm", ".mkv", ".avi", ".mov", ".m4v"});

Json visuals_json(const ViewedRun& run, const store::Sample& sample, size_t at_most) {
  const bool shows_none = shows_no_picture(run);
  Json visuals = Json::array();
  for (size_t i = 0; i < std::min(sample.visuals.size(), at_most); ++i) {
    const store::ShownVisual& one = sample.visuals[i];
    visuals.push_back({{"name", one.name},
                       {"file", std::filesystem::path(one.path).filename().string()},
                       {"kind",
                        one.path.empty() || shows_none ? "none"
                        : is_clip(one.path)            ? "clip"
                                                       : "image"}});
  }
  return visuals;
}

std::string_view outcome_name(const store::Sample& sample) {
  using store::ItemOutcome;
  if (sample.status == store::SampleStatus::kFailed) return name_of(ItemOutcome::kFailed);
  if (sample.status == store::SampleStatus::kSkipped) return name_of(ItemOutcome::kSkipped);
  if (!sample.is_correct) return name_of(ItemOutcome::kUndecided);
  if (*sample.is_correct) return name_of(ItemOutcome::kRight);
  return name_of(sample.margin == 0 ? ItemOutcome::kTie : ItemOutcome::kWrong);
}

}  // namespace

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

bool is_clip(const std::string& path) {
  const std::string lower = ascii_lower(path);
  return std::any_of(kVideoEndings.begin(), kVideoEndings.end(), [&](std::string_view ending) {
    return lower.ends_with(ending);
  });
}

Json measurement_json(const metrics::Measurement& one) {
  return {{"id", one.id},
          {"value", number_json(one.value)},
          {"low", one.low ? number_json(*one.low) : Json()},
          {"high", one.high ? number_json(*one.high) : Json()},
          {"n", one.n},
          {"ties", one.ties},
          {"chance", one.chance ? number_json(*one.chance) : Json()},
          {"reason", one.reason}};
}

Json row_json(const ViewedRun& run, const store::Sample& sample) {
  const store::TaskRecord& task = run.tasks().at(sample.task);
  Json scores = Json::array();
  for (size_t i = 0; i < std::min(sample.scores.size(), kMostShown); ++i)
    scores.push_back(number_json(sample.scores[i]));
  Json texts = Json::array();
  for (size_t i = 0; i < std::min(sample.texts.size(), kMostShown); ++i)
    texts.push_back(sample.texts[i]);
  Json row = {{"run", run.id()},
              {"task", task.name},
              {"part", sample.part < task.parts.size() ? task.parts[sample.part].name : ""},
              {"position", sample.position},
              {"item", sample.item},
              {"category", sample.category},
              {"outcome", outcome_name(sample)},
              {"margin", number_json(sample.margin)},
              {"texts", std::move(texts)},
              {"scores", std::move(scores)},
              {"answers", sample.answers},
              {"visuals", visuals_json(run, sample, kMostShown)}};
  if (sample.error) row["reason"] = sample.error->message();
  return row;
}

Json item_json(const ViewedRun& run, const store::Sample& sample) {
  Json json = row_json(run, sample);
  const store::TaskRecord& task = run.tasks().at(sample.task);
  Json values = Json::array();
  for (size_t i = 0; i < std::min(sample.values.size(), task.columns.size()); ++i)
    values.push_back({{"name", task.columns[i].name}, {"value", number_json(sample.values[i])}});
  json["values"] = std::move(values);
  for (size_t i = 0; i < json["visuals"].size(); ++i) {
    Json seconds = Json::array();
    for (const double one : frame_seconds_of(run, sample.visuals[i]))
      seconds.push_back(number_json(one));
    if (!seconds.empty()) json["visuals"][i]["frame_seconds"] = std::move(seconds);
  }
  Json pairs = Json::array();
  for (size_t i = 0; i < std::min(sample.pairs.size(), sample.scores.size()); ++i)
    pairs.push_back({{"visual", sample.pairs[i].visual},
                     {"text", sample.pairs[i].text},
                     {"score", number_json(sample.scores[i])}});
  json["pairs"] = std::move(pairs);
  json["clusters"] = sample.clusters;
  json["ties"] = sample.ties;
  if (!sample.detail.empty()) {
    const Json details = formats::parse_ordered_json(sample.detail.json());
    if (!details.is_discarded()) json["details"] = details;
  }
  if (sample.error)
    json["error"] = formats::parse_ordered_json(store::error_to_json(*sample.error));
  return json;
}

}  // namespace snellen::viewer
