// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/state_item.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/base/python_json.h"

namespace snellen::builders::vilma {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kIdPrefix = "change-state-";
constexpr size_t kMostText = 1000;

// Keys that are made here, at the end of the item.
constexpr std::array<std::string_view, 6> kMadeKeys = {
    "caption", "foils", "class", "classes_foil", "proficiency", "mturk"};

class ItemText {
 public:
  void add(std::string_view key, std::string_view json) {
    text_ += fmt::format("{}\n        {}: {}", text_.empty() ? "{" : ",", python_string(key), json);
  }
  std::string finish() { return text_ + "\n    }"; }

  static std::string list_of(std::string_view text) {
    return fmt::format("[\n            {}\n        ]", python_string(text));
  }

 private:
  std::string text_;
};

std::string value_json(const formats::PythonJsonParser& parser, dom::element element) {
  std::string out;
  formats::append_python_json(out, parser, element, /*indent=*/4, /*depth=*/2);
  return out;
}

// Votes were given for texts: they go with them.
bool has_texts(const StateItem& base, const StateTexts& texts) {
  const auto caption = annotations::text_in(base.item, "caption");
  const auto foils = annotations::list_in(base.item, "foils");
  std::string_view foil;
  return caption == texts.caption && foils && foils->size() == 1 &&
         foils->at(0).get(foil) == simdjson::SUCCESS && foil == texts.foil;
}

// What was changed, for statistics: verbs, or states.
StateTexts classes_of(const StateChange& change, StateKind kind, const StateTextOptions& options) {
  if (kind == StateKind::kPreState) return {change.pre_state, change.post_state};
  if (kind == StateKind::kPostState) return {change.post_state, change.pre_state};
  return {options.keeps_verb ? change.verb : change.hypernym, change.inverse};
}

}  // namespace

Result<StateItem> read_state_item(formats::PythonJsonParser& parser,
                                  std::string_view json,
                                  std::string_view where) {
  const auto value = parser.parse(json, where);
  if (!value) return value.error();
  StateItem base;
  if (value->get(base.item) != simdjson::SUCCESS)
    return annotations::bad_record("is not an object", where);
  dom::object fields;
  if (base.item.at_key("change_of_state").get(fields) != simdjson::SUCCESS)
    return annotations::bad_record("has no object 'change_of_state'", where);
  StateChange& change = base.change;
  const std::pair<const char*, std::string*> wanted[] = {{"verb", &change.verb},
                                                         {"verb-hypernym", &change.hypernym},
                                                         {"object", &change.object},
                                                         {"pre-state", &change.pre_state},
                                                         {"post-state", &change.post_state},
                                                         {"state-inverse", &change.inverse}};
  for (const auto& [key, text] : wanted) {
    const auto found = annotations::text_in(fields, key);
    const bool may_be_empty = text == &change.object;
    if (!found || (found->empty() && !may_be_empty) || found->size() > kMostText) {
      return annotations::bad_record(
          fmt::format("'change_of_state.{}' is not a text of 1 to {} bytes", key, kMostText),
          where);
    }
    *text = *found;
  }
  return base;
}

std::string_view state_number(std::string_view id) {
  if (!id.starts_with(kIdPrefix)) return id;
  const std::string_view rest = id.substr(kIdPrefix.size());
  for (const StateKind kind : kStateKinds) {
    const std::string_view name = name_of(kind);
    if (rest.starts_with(name) && rest.size() > name.size() + 1 && rest[name.size()] == '-')
      return rest.substr(name.size() + 1);
  }
  return rest.empty() ? id : rest;
}

std::string state_id(StateKind kind, std::string_view base_id) {
  return fmt::format("{}{}-{}", kIdPrefix, name_of(kind), state_number(base_id));
}

std::string object_noun(const StateChange& change) {
  const size_t blank = change.object.find_last_of(' ');
  return change.object.substr(blank == std::string::npos ? 0 : blank + 1);
}

ObjectSwap swapped_object(const StateChange& change,
                          const StateTextOptions& options,
                          const std::vector<annotations::FoilCandidate>& candidates,
                          const FoilJudges& judges) {
  StateTextOptions brief = options;
  brief.is_extended = false;
  const std::string target = object_noun(change);
  for (const annotations::FoilCandidate& one : candidates) {
    if (target.empty() || one.noun.empty() || one.noun == target || one.label == "entailment")
      continue;
    StateChange other = change;
    other.object.replace(change.object.size() - target.size(), target.size(), one.noun);
    ObjectSwap swap{.caption = state_texts(change, StateKind::kAction, brief).caption,
                    .foil = state_texts(other, StateKind::kAction, brief).caption,
                    .target = target,
                    .word = one.noun,
                    .model = one.model,
                    .gruen = std::nullopt};
    if (!judges.lets_pass(swap.caption, swap.foil)) continue;
    if (judges.gruen) swap.gruen = judges.gruen(swap.foil);
    return swap;
  }
  return {};
}

std::string state_item_json(const formats::PythonJsonParser& parser,
                            const StateItem& base,
                            StateKind kind,
                            const StateTextOptions& options,
                            const ObjectSwap& swap) {
  const StateTexts texts = state_texts(base.change, kind, options);
  const StateTexts classes = classes_of(base.change, kind, options);
  ItemText item;
  for (const dom::key_value_pair pair : base.item) {
    if (std::find(kMadeKeys.begin(), kMadeKeys.end(), pair.key) == kMadeKeys.end())
      item.add(pair.key, value_json(parser, pair.value));
  }
  item.add("caption", python_string(texts.caption));
  item.add("foils", ItemText::list_of(texts.foil));
  item.add("class", python_string(classes.caption));
  item.add("classes_foil", ItemText::list_of(classes.foil));
  dom::element kept;
  if (!swap.caption.empty()) {
    item.add("proficiency",
             fmt::format("{{\n            \"caption\": {},\n            \"foils\": [\n"
                         "                {}\n            ],\n"
                         "            \"proficiency_test\": \"object\",\n"
                         "            \"mask_target\": {},\n            \"predicted_word\": {},\n"
                         "            \"model\": {}{}\n        }}",
                         python_string(swap.caption),
                         python_string(swap.foil),
                         python_string(swap.target),
                         python_string(swap.word),
                         python_string(swap.model),
                         swap.gruen ? fmt::format(",\n            \"gruen_score\": {}",
                                                  python_float(*swap.gruen))
                                    : ""));
  } else if (base.item.at_key("proficiency").get(kept) == simdjson::SUCCESS) {
    item.add("proficiency", value_json(parser, kept));
  }
  if (has_texts(base, texts) && base.item.at_key("mturk").get(kept) == simdjson::SUCCESS)
    item.add("mturk", value_json(parser, kept));
  return item.finish();
}

}  // namespace snellen::builders::vilma
