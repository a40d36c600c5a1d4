// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/sources.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace snellen::tasks::vilma {
namespace {

namespace fs = std::filesystem;
using annotations::VilmaResults;

std::optional<std::vector<double>> scores_in(const VilmaResults* results, const std::string& id) {
  if (results == nullptr) return std::nullopt;
  const auto found = results->find(id);
  if (!found) return std::nullopt;
  return std::vector<double>(found->begin(), found->end());
}

// One call of an evaluator: its items, the results files it read, and what it decided.
struct Evaluated {
  const EvaluatedItems& items;
  const VilmaResults* proficiency;
  const VilmaResults* main;
  Evaluation evaluation;
};

// The items of one annotation file (or of all when `file` is nothing) with their decisions. Both
// lists are in order of ids, and skipped items have no row.
std::vector<SourceItem> items_of(const Evaluated& from, std::optional<size_t> file) {
  const std::set<std::string_view> degenerate(from.items.degenerate.begin(),
                                              from.items.degenerate.end());
  const std::vector<metrics::FoilRow>& rows = from.evaluation.report.rows;
  std::vector<SourceItem> items;
  size_t row = 0;
  for (const EvaluatedItem& item : from.items.items) {
    const bool has_row = row < rows.size() && rows[row].id == item.id;
    if (!file || item.file == *file) {
      SourceItem& one = items.emplace_back();
      one.id = item.id;
      one.clip = item.clip;
      one.is_degenerate = degenerate.contains(item.id);
      one.scores = {scores_in(from.proficiency, item.id), scores_in(from.main, item.id)};
      if (has_row) one.decision = rows[row];
    }
    row += has_row ? 1 : 0;
  }
  return items;
}

std::string some_of(const std::vector<std::string>& ids) {
  constexpr size_t kShown = 10;
  const size_t shown = std::min(ids.size(), kShown);
  return fmt::format("{}{}",
                     fmt::join(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     ids.size() > shown ? fmt::format(" and {} more", ids.size() - shown) : "");
}

void add_notes(const Evaluated& from,
               const Selection& selection,
               const std::string& name,
               std::vector<std::string>& notes) {
  if (!from.items.degenerate.empty()) {
    notes.push_back(degenerate_note(name, from.items.degenerate, selection.drop_degenerate));
  }
  if (from.evaluation.num_non_finite_entries > 0) {
    notes.push_back(fmt::format("{}: {} entries of the results hold NaN or an infinity",
                                name,
                                from.evaluation.num_non_finite_entries));
  }
  for (const VilmaResults* results : {from.main, from.proficiency}) {
    if (results == nullptr) continue;
    std::unordered_set<std::string_view> known(from.items.left_out.begin(),
                                               from.items.left_out.end());
    for (const EvaluatedItem& item : from.items.items) known.insert(item.id);
    std::vector<std::string_view> unknown;
    for (size_t i = 0; i < results->size(); ++i) {
      if (!known.contains(results->id(i))) unknown.push_back(results->id(i));
    }
    if (unknown.empty()) continue;
    notes.push_back(
        fmt::format("{}: {} of {} entries are for items that the annotations do not "
                    "have, for example {}",
                    name,
                    unknown.size(),
                    results->size(),
                    unknown.front()));
  }
  if (from.evaluation.report.num_made_wrong > 0) {
    notes.push_back(fmt::format("{}: {} items without usable scores are counted wrong",
                                name,
                                from.evaluation.report.num_made_wrong));
  }
}

// Names come from the user's suite file and go into metric ids and file names.
void check_name(const std::string& name) {
  const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '/' && c != '\\' && c != '\x7f';
  });
  if (is_plain && !name.empty() && name.front() != '.' && name.size() <= 100) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("'{}' cannot name a subtask or task: no spaces, no slashes, at most 100 "
                          "characters",
                          name.substr(0, 100)),
              "suite",
              "name the subtask in the row: \"subtask\": \"my-subtask\""};
}

// Every metric id once: a part may be called as a task only when it is the whole of that task.
void check_names(const Sources& sources) {
  std::map<std::string, std::vector<std::string>> parts_of;
  std::set<std::string> names;
  auto refuse = [](const std::string& name) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("two rows, or a row and a task, would be called '{}'", name),
                "suite",
                "name the subtask in the row: \"subtask\": \"my-subtask\""};
  };
  for (const Source& source : sources.parts) {
    check_name(source.part);
    if (!names.insert(source.part).second) refuse(source.part);
    if (source.task.empty()) continue;
    check_name(source.task);
    parts_of[task_id(source.task)].push_back(source.part);
  }
  if (names.contains("average") || parts_of.contains("average")) refuse("average");
  for (const auto& [id, parts] : parts_of) {
    if (names.contains(id) && parts != std::vector<std::string>{id}) refuse(id);
  }
}

// The same item in two rows of a task would count twice; of counting, `sec` and `pts` hold the
// same.
void check_items_once(const Sources& sources) {
  std::map<std::string, std::map<std::string_view, std::string_view>> owners;
  for (const Source& source : sources.parts) {
    if (source.task.empty()) continue;
    for (const SourceItem& item : source.items) {
      const auto [owner, is_new] = owners[source.task].emplace(item.id, source.part);
      if (is_new) continue;
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("item '{}' is in two rows of task {}: {} and {}",
                              item.id,
                              source.task,
                              owner->second,
                              source.part),
                  "suite",
                  "give each item once (of counting either the sec or the pts file)"};
    }
  }
}

Sources open_suite(const Wanted& wanted) {
  Sources sources;
  sources.is_pair = true;
  sources.files = {wanted.suite};
  for (const SuiteRow& row : read_suite_rows(wanted.suite, wanted.data)) {
    const EvaluatedItems items = read_evaluated_items(row.annotations, wanted.selection);
    const annotations::VilmaPlace place = place_of(row, items);
    Source source{.task = place.task, .part = place.subtask, .mode = row.mode, .items = {}};
    metrics::FoilRules rules = wanted.rules;
    rules.mode = row.mode;
    try {
      const VilmaResults proficiency = read_results(row.proficiency, rules.is_compat);
      const VilmaResults main = read_results(row.main, rules.is_compat);
      const Evaluated evaluated{
          items, &proficiency, &main, evaluate_pair(items, proficiency, main, rules)};
      source.items = items_of(evaluated, std::nullopt);
      add_notes(evaluated, wanted.selection, row.name, sources.notes);
    } catch (const Error& error) {
      throw error.within(fmt::format("suite row '{}'", row.name));
    }
    sources.parts.push_back(std::move(source));
    sources.files.insert(sources.files.end(), row.annotations.begin(), row.annotations.end());
    sources.files.push_back(row.proficiency);
    sources.files.push_back(row.main);
  }
  return sources;
}

// The results files of `eval` or `multi_eval`, read.
struct Given {
  explicit Given(const Wanted& wanted) {
    for (const fs::path& path : wanted.results) {
      files.push_back(read_results(path, wanted.rules.is_compat));
    }
  }
  Evaluated evaluate(const EvaluatedItems& items, const metrics::FoilRules& rules) const {
    if (files.size() == 2) {
      return {items, &files[0], &files[1], evaluate_pair(items, files[0], files[1], rules)};
    }
    Evaluated one{items, nullptr, nullptr, {}};
    one.evaluation = evaluate_file(items, files[0], ScoredTexts::kAuto, rules);
    const bool is_main = one.evaluation.texts == ScoredTexts::kMain;
    (is_main ? one.main : one.proficiency) = &files[0];
    return one;
  }

  std::vector<VilmaResults> files;
};

Sources open_files(const Wanted& wanted) {
  const EvaluatedItems items = read_evaluated_items(wanted.annotations, wanted.selection);
  const Given given(wanted);
  Sources sources;
  sources.is_pair = given.files.size() == 2;
  sources.longest_entry = given.files[0].longest_entry();
  Evaluated evaluated = [&] {
    try {
      return given.evaluate(items, wanted.rules);
    } catch (const Error& error) {
      std::string names = wanted.results[0].string();
      if (sources.is_pair) names += " and " + wanted.results[1].string();
      throw error.within(names);
    }
  }();
  sources.texts = evaluated.evaluation.texts;
  add_notes(evaluated, wanted.selection, wanted.annotations[0].stem().string(), sources.notes);
  if (!sources.is_pair && sources.texts == ScoredTexts::kProficiency) {
    sources.notes.push_back(
        fmt::format("{} has the lengths of proficiency texts, so this is P, not T",
                    wanted.results[0].string()));
  }
  for (size_t file = 0; file < wanted.annotations.size(); ++file) {
    const annotations::VilmaPlace& place = items.places[file];
    Source source{.task = place.task,
                  .part = place.subtask.empty() ? "file" : place.subtask,
                  .mode = wanted.rules.mode,
                  .items = items_of(evaluated, file)};
    const auto same = std::find_if(sources.parts.begin(),
                                   sources.parts.end(),
                                   [&](const Source& s) { return s.part == source.part; });
    if (same == sources.parts.end()) {
      sources.parts.push_back(std::move(source));
    } else {
      std::move(source.items.begin(), source.items.end(), std::back_inserter(same->items));
    }
  }
  sources.files = wanted.annotations;
  sources.files.insert(sources.files.end(), wanted.results.begin(), wanted.results.end());
  return sources;
}

}  // namespace

Sources open_sources(const Wanted& wanted) {
  Sources sources = wanted.suite.empty() ? open_files(wanted) : open_suite(wanted);
  check_items_once(sources);
  check_names(sources);
  return sources;
}

std::vector<std::string> reference_stdout(const Wanted& wanted) {
  const EvaluatedItems items = read_evaluated_items(wanted.annotations, wanted.selection);
  return metrics::compat_lines(Given(wanted).evaluate(items, wanted.rules).evaluation.report);
}

std::string degenerate_note(const std::string& name,
                            const std::vector<std::string>& ids,
                            bool is_left_out) {
  return fmt::format("{}: {} items have a caption among their foils or equal foils{}: {}",
                     name,
                     ids.size(),
                     is_left_out ? " and are left out" : "",
                     some_of(ids));
}

std::string task_id(const std::string& task) {
  static const std::map<std::string, std::string> ids = {{"action_counting", "counting"},
                                                         {"situation_awareness", "situation"},
                                                         {"change_of_state", "change-state"},
                                                         {"rare_actions", "rare-actions"},
                                                         {"spatial_relations", "relations"}};
  const auto found = ids.find(task);
  return found == ids.end() ? task : found->second;
}

}  // namespace snellen::tasks::vilma
