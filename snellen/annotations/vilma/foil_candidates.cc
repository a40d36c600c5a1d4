// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/foil_candidates.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/formats/json_elements.h"
#include "snellen/formats/python_json_parser.h"

namespace snellen::annotations {
namespace {

std::string text_or_empty(simdjson::dom::object object, std::string_view key) {
  return std::string(text_in(object, key).value_or(""));
}

// Nothing for null and absent; false when it is something else.
bool read_score(simdjson::dom::object object, std::string_view key, std::optional<double>& score) {
  simdjson::dom::element element;
  if (object.at_key(key).get(element) != simdjson::SUCCESS || element.is_null()) return true;
  score = number_in(object, key);
  return score && std::isfinite(*score);
}

Result<FoilCandidate> read_candidate(simdjson::dom::element element, std::string_view where) {
  simdjson::dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return bad_record("is not an object", where);
  FoilCandidate one;
  one.verb = text_or_empty(object, "verb");
  one.noun = text_or_empty(object, "noun");
  one.phrase = text_or_empty(object, "phrase");
  if (one.phrase.empty()) one.phrase = text_or_empty(object, "noun_phrase");
  one.sequence = text_or_empty(object, "sequence");
  one.model = text_or_empty(object, "model");
  one.label = text_or_empty(object, "label");
  if (one.verb.empty() == one.noun.empty())
    return bad_record("needs either a 'verb' or a 'noun'", where);
  if (!read_score(object, "score", one.score) || !read_score(object, "mlm_score", one.mlm_score))
    return bad_record("has a score that is not a finite number", where);
  return one;
}

}  // namespace

FoilCandidates read_foil_candidates(const std::filesystem::path& path) {
  const formats::JsonElements elements(path);
  if (!elements.is_object()) {
    throw Error{ErrorCode::kInvalidInput,
                "is a list, expected lists of candidates by verb, or by verb and noun",
                path.string(),
                "write {\"cut book\": [{\"noun\": \"apple\", \"phrase\": \"an apple\"}]}"};
  }
  FoilCandidates file;
  formats::PythonJsonParser parser;
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::string where = elements.where(i);
    const Result<simdjson::dom::element> value = parser.parse(elements.element(i), where);
    if (!value) {
      file.bad_records.push_back(value.error());
      continue;
    }
    simdjson::dom::array list;
    const bool is_list = value->get(list) == simdjson::SUCCESS;
    const auto [place, is_new] = file.lists.try_emplace(std::string(elements.key(i)));
    if (!is_list || !is_new) {
      file.bad_records.push_back(bad_record(is_list ? "is there already" : "is not a list", where));
      continue;
    }
    file.keys.emplace_back(elements.key(i));
    size_t number = 0;
    for (simdjson::dom::element element : list) {
      Result<FoilCandidate> one =
          read_candidate(element, fmt::format("{}, candidate {}", where, number++));
      if (one) {
        place->second.push_back(std::move(one).value());
      } else {
        file.bad_records.push_back(one.error());
      }
    }
  }
  return file;
}

}  // namespace snellen::annotations
