// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/base/ascii.h"
#include "snellen/builders/vilma/change_state_texts.h"
#include "snellen/builders/vilma/check.h"
#include "snellen/builders/vilma/item_check.h"
#include "snellen/builders/vilma/state_item.h"
#include "snellen/formats/json_elements.h"
#include "snellen/text/words/verb_forms.h"

namespace snellen::builders::vilma {
namespace {

namespace fs = std::filesystem;

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Where the sentence holds the verb, in one of its two forms, as a word.
bool holds_verb(std::string_view text, std::string_view verb) {
  const std::string_view word = verb.substr(0, verb.find(' '));
  const std::string_view particle = verb.substr(std::min(word.size(), verb.size()));
  for (const std::string& form : {text::third_person(word), std::string(word)}) {
    if (holds(text, fmt::format(" {} ", form)) || holds(text, fmt::format(" {}.", form)))
      return particle.empty() || holds(text, fmt::format("{}.", particle));
  }
  return false;
}

class ChangeStateCheck {
 public:
  explicit ChangeStateCheck(const builders::BuildRecord& record)
      : keeps_verb_(record.option("preserve-original") == "true"),
        is_extended_(record.option("extended") == "true"),
        is_compat_(record.option("compat") == "true"),
        start_(capitalized(record.option("start-adverb"))),
        end_(capitalized(record.option("end-adverb"))) {
    const formats::JsonElements elements(record.source("data"));
    formats::PythonJsonParser parser;
    for (size_t i = 0; i < elements.size(); ++i) {
      const auto item = read_state_item(parser, elements.element(i), elements.where(i));
      if (item) changes_.emplace(std::string(state_number(elements.key(i))), item->change);
    }
  }

  size_t size() const { return changes_.size(); }

  void check(StateKind kind, const std::string& id, ItemCheck& item) const {
    const std::string prefix = fmt::format("change-state-{}-", name_of(kind));
    const auto known = changes_.find(id.starts_with(prefix) ? id.substr(prefix.size()) : id);
    if (known == changes_.end()) return item.broken("item-unknown", "is not in the source");
    const StateChange& change = known->second;
    const std::string caption = item.text("caption");
    const std::string foil = item.only_text("foils");
    const std::string& verb = keeps_verb_ ? change.verb : change.hypernym;
    if (change.pre_state != change.post_state && verb != change.inverse)
      item.expect(caption != foil, "foil-same", fmt::format("'{}'", caption));
    const bool tells_action =
        is_extended_ || kind == StateKind::kAction || kind == StateKind::kInverse;
    const bool undoes = kind == StateKind::kAction || kind == StateKind::kInverse;
    if (tells_action) {
      item.expect(holds_verb(caption, verb), "verb", fmt::format("no '{}' in '{}'", verb, caption));
      const std::string& other = undoes ? change.inverse : verb;
      item.expect(
          holds_verb(foil, other), "foil-verb", fmt::format("no '{}' in '{}'", other, foil));
    }
    check_states(change, kind, caption, foil, item);
    item.expect(holds(ascii_lower(caption), ascii_lower(change.object)) &&
                    holds(ascii_lower(foil), ascii_lower(change.object)),
                "object",
                fmt::format("no '{}' in both texts", change.object));
    if (item.has_proficiency())
      item.expect(item.proficiency_caption() != item.proficiency_foil(), "proficiency-same", "");
  }

 private:
  // The state is said at that place, with "is" or "are".
  static bool says(std::string_view text, std::string_view adverb, std::string_view state) {
    for (const std::string_view aux : {"is", "are"}) {
      const size_t found = text.find(fmt::format(" {} {}", aux, state));
      if (holds(text, fmt::format("{}, ", adverb)) && found != std::string_view::npos) return true;
    }
    return false;
  }

  void check_states(const StateChange& change,
                    StateKind kind,
                    const std::string& caption,
                    const std::string& foil,
                    ItemCheck& item) const {
    const bool is_whole = is_extended_ || kind == StateKind::kInverse;
    const std::string end = is_compat_ && !is_whole ? "At the end" : end_;
    if (kind == StateKind::kPreState || is_whole) {
      item.expect(
          says(caption, start_, change.pre_state), "pre-state", fmt::format("'{}'", caption));
    }
    if (kind == StateKind::kPostState || is_whole) {
      item.expect(
          says(caption, end, change.post_state), "post-state", fmt::format("'{}'", caption));
    }
    const bool is_swapped = kind == StateKind::kPreState || kind == StateKind::kInverse;
    if (is_swapped)
      item.expect(says(foil, start_, change.post_state), "foil-state", fmt::format("'{}'", foil));
    if (kind == StateKind::kPostState || kind == StateKind::kInverse)
      item.expect(says(foil, end, change.pre_state), "foil-state", fmt::format("'{}'", foil));
  }

  bool keeps_verb_;
  bool is_extended_;
  bool is_compat_;
  std::string start_;
  std::string end_;
  std::map<std::string, StateChange> changes_;
};

}  // namespace

builders::CheckReport check_change_state(const fs::path& folder,
                                         const builders::BuildRecord& record,
                                         const builders::Workers& workers) {
  const ChangeStateCheck states(record);
  builders::CheckReport report;
  for (const StateKind kind : kStateKinds) {
    const fs::path file = folder / fmt::format("change-state-{}.json", name_of(kind));
    const uint64_t num_before = report.num_groups;
    check_items(file, workers, report, [&](const std::string& id, ItemCheck& item) {
      states.check(kind, id, item);
    });
    if (report.num_groups - num_before != states.size()) {
      report.add(
          {file.filename().string(),
           "item-missing",
           fmt::format(
               "{} items, the source has {}", report.num_groups - num_before, states.size())});
    }
  }
  return report;
}

}  // namespace snellen::builders::vilma
