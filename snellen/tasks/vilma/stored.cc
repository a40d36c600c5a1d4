// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/stored.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/python_json.h"

namespace snellen::tasks::vilma {
namespace {

namespace dom = simdjson::dom;

void append_scores(std::string& json,
                   const char* name,
                   const std::optional<std::vector<double>>& scores) {
  if (!scores) return;
  json += fmt::format(", \"{}\": [", name);
  for (size_t i = 0; i < scores->size(); ++i) {
    if (i > 0) json += ", ";
    append_python_float(json, (*scores)[i], NonFinite::kToken);
  }
  json += ']';
}

Error damaged(const std::string& id) {
  return Error{ErrorCode::kInvalidInput,
               "its detail holds no ViLMA scores",
               fmt::format("samples.db: vilma {}", id),
               "it was changed by another program; score again with --overwrite"};
}

}  // namespace

std::string stored_json(const SourceItem& item) {
  SNELLEN_CHECK(item.decision);
  return stored_json(StoredScores{.num_foils = item.decision->num_foils,
                                  .num_prof_foils = item.decision->num_prof_foils,
                                  .scores = item.scores});
}

std::string stored_json(const StoredScores& stored) {
  std::string json =
      fmt::format("{{\"foils\": {}, \"prof_foils\": {}", stored.num_foils, stored.num_prof_foils);
  append_scores(json, "prof", stored.scores.proficiency);
  append_scores(json, "main", stored.scores.main);
  if (stored.mode) json += fmt::format(", \"mode\": \"{}\"", metrics::name_of(*stored.mode));
  if (!stored.is_evaluated) json += ", \"evaluated\": false";
  if (!stored.frames.empty())
    json += fmt::format(", \"frames\": [{}]", fmt::join(stored.frames, ", "));
  return json + "}";
}

StoredScores read_stored(annotations::PythonJsonParser& parser,
                         std::string_view json,
                         const std::string& id) {
  const Result<dom::element> root = parser.parse(json, "samples.db");
  if (!root) throw damaged(id);
  StoredScores stored;
  uint64_t num_foils = 0;
  uint64_t num_prof_foils = 0;
  if ((*root)["foils"].get(num_foils) != simdjson::SUCCESS ||
      (*root)["prof_foils"].get(num_prof_foils) != simdjson::SUCCESS) {
    throw damaged(id);
  }
  stored.num_foils = num_foils;
  stored.num_prof_foils = num_prof_foils;
  auto read = [&](const char* name, std::optional<std::vector<double>>& scores) {
    dom::array list;
    if ((*root)[name].get(list) != simdjson::SUCCESS) return;
    scores.emplace();
    for (dom::element element : list) {
      const std::optional<double> number = parser.number(element);
      if (!number) throw damaged(id);
      scores->push_back(*number);
    }
  };
  read("prof", stored.scores.proficiency);
  read("main", stored.scores.main);
  std::string_view mode;
  if ((*root)["mode"].get(mode) == simdjson::SUCCESS) stored.mode = metrics::foil_mode_of(mode);
  bool is_evaluated = true;
  if ((*root)["evaluated"].get(is_evaluated) == simdjson::SUCCESS)
    stored.is_evaluated = is_evaluated;
  dom::array frames;
  if ((*root)["frames"].get(frames) == simdjson::SUCCESS) {
    for (dom::element element : frames) {
      int64_t frame = 0;
      if (element.get(frame) != simdjson::SUCCESS) throw damaged(id);
      stored.frames.push_back(frame);
    }
  }
  return stored;
}

}  // namespace snellen::tasks::vilma
