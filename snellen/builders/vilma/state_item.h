// SPDX-License-Identifier: Apache-2.0
// One described change as it is read, and one of its items as it is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "snellen/annotations/vilma/foil_candidates.h"
#include "snellen/builders/vilma/change_state_texts.h"
#include "snellen/builders/vilma/foil_judges.h"
#include "snellen/formats/python_json_parser.h"

namespace snellen::builders::vilma {

// What an item of the base file says. Lives as long as the parser's last parse.
struct StateItem {
  simdjson::dom::object item;
  StateChange change;
};

Result<StateItem> read_state_item(formats::PythonJsonParser& parser,
                                  std::string_view json,
                                  std::string_view where);

// "change-state-action-0001" -> "0001"; another id is taken whole.
std::string_view state_number(std::string_view id);
std::string state_id(StateKind kind, std::string_view base_id);

// The last word of the object.
std::string object_noun(const StateChange& change);

// The pair about the object: the short action caption with that word exchanged for the first
// candidate that is another word, does not follow from it and that the judges let pass. Empty when
// there is none.
struct ObjectSwap {
  std::string caption;
  std::string foil;
  std::string target;  // "athlete"
  std::string word;    // "girl"
  std::string model;
  std::optional<double> gruen;  // of the foil, where a judge gave it
};
ObjectSwap swapped_object(const StateChange& change,
                          const StateTextOptions& options,
                          const std::vector<annotations::FoilCandidate>& candidates,
                          const FoilJudges& judges = {});

// The item's JSON as Python's json.dump(indent=4) lays it out one level deep.
std::string state_item_json(const formats::PythonJsonParser& parser,
                            const StateItem& base,
                            StateKind kind,
                            const StateTextOptions& options,
                            const ObjectSwap& swap);

}  // namespace snellen::builders::vilma
