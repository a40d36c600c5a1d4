// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/stored.h"

#include <fmt/format.h>

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
  std::string json = fmt::format("{{\"foils\": {}, \"prof_foils\": {}",
                                 item.decision->num_foils,
                                 item.decision->num_prof_foils);
  append_scores(json, "prof", item.scores.proficiency);
  append_scores(json, "main", item.scores.main);
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
  return stored;
}

}  // namespace snellen::tasks::vilma
