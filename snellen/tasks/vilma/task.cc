// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/task.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/tasks/typed_task.h"
#include "snellen/tasks/vilma/asked.h"
#include "snellen/tasks/vilma/pooled.h"
#include "snellen/tasks/vilma/report.h"

namespace snellen::tasks::vilma {

Outcome outcome_of(const SourceItem& item, bool is_pair) {
  SNELLEN_CHECK(item.decision);
  const metrics::FoilRow& row = *item.decision;
  Outcome outcome;
  outcome.margin = row.test.margin.value_or(outcome.margin);
  if (is_pair) {
    outcome.values = {row.proficiency->credit, row.test.credit, row.credit};
    outcome.tied_columns = uint64_t{row.proficiency->is_tied} | uint64_t{row.test.is_tied} << 1 |
                           uint64_t{row.is_tied} << 2;
    // Undefined as soon as one of the two is.
    outcome.margin = row.proficiency->margin && row.test.margin
                         ? std::min(*row.proficiency->margin, *row.test.margin)
                         : std::numeric_limits<double>::quiet_NaN();
  } else {
    outcome.values = {row.credit};
    outcome.tied_columns = uint64_t{row.is_tied};
  }
  if (row.credit == 0.0 || row.credit == 1.0) outcome.is_correct = row.credit == 1.0;
  outcome.named = named_values(item);
  return outcome;
}

namespace {

namespace fs = std::filesystem;

std::vector<Column> columns_of(const Sources& sources, const metrics::FoilRules& rules) {
  std::vector<NumFoils> items;
  for (const Source& source : sources.parts) {
    for (const SourceItem& item : source.items) {
      if (item.decision) items.push_back({item.decision->num_foils, item.decision->num_prof_foils});
    }
  }
  return vilma::columns_of(items, sources.is_pair, sources.texts, rules);
}

// Payload: the item as its files have it, which the task owns. They were read when the task was
// opened; no model is asked.
class Vilma : public TypedTask<const SourceItem*> {
 public:
  explicit Vilma(const Wanted& wanted)
      : rules_(wanted.rules),
        sources_(open_sources(wanted)),
        columns_(columns_of(sources_, rules_)) {}

  std::vector<Part> parts() const override {
    std::vector<Part> parts;
    for (const Source& source : sources_.parts) parts.push_back({source.part, source.items.size()});
    return parts;
  }
  std::vector<Column> columns() const override { return columns_; }
  std::vector<fs::path> inputs() const override { return sources_.files; }
  std::vector<std::string> notes() const override { return sources_.notes; }

  Result<Made> make(uint64_t position) const override {
    uint64_t index = position;
    size_t part = 0;
    while (index >= sources_.parts[part].items.size()) index -= sources_.parts[part++].items.size();
    const SourceItem& from = sources_.parts[part].items[index];
    Item item;
    item.id = fmt::format("{}/{}", sources_.parts[part].part, from.id);
    item.clusters = {from.clip};
    item.category = from.is_degenerate ? "degenerate" : "";
    return Made{std::move(item), &from};
  }

  Result<Outcome> decide(const SourceItem* const& item, const questions::Scores&) const override {
    if (item->decision) return outcome_of(*item, sources_.is_pair);
    return Error{ErrorCode::kNotFound,
                 "the results have no scores for it",
                 "",
                 "score it, or count it wrong with --missing wrong"};
  }

  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override {
    return pooled_metrics({sources_, rules_, columns_, options}, read_parts(sources_, outcomes));
  }

  // The reference writes nothing but its standard output: kept per part, in compat alone.
  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override {
    if (!request.is_compat) return {};
    SeedReport report{
        .results_folder = "vilma", .log_folder = "vilma", .files = {}, .log_lines = {}};
    for (const StoredPart& part : read_parts(sources_, outcomes)) {
      if (part.rows.empty()) continue;
      metrics::FoilRules rules = rules_;
      rules.mode = part.mode;
      std::vector<const StoredRow*> rows;
      for (const StoredRow& row : part.rows) rows.push_back(&row);
      std::string text;
      for (const std::string& line : metrics::compat_lines(evaluate_rows(rows, sources_, rules))) {
        text += line + "\n";
        report.log_lines.push_back(fmt::format("{}: {}", part.part, line));
      }
      report.files.push_back(fs::path("vilma") / (part.part + ".txt"));
      write_text_file(request.folder / report.files.back(), text);
    }
    return {report};
  }

 private:
  metrics::FoilRules rules_;
  Sources sources_;
  std::vector<Column> columns_;
};

class VilmaEntry : public TaskEntry {
 public:
  const TaskFacts& facts() const override { return facts_; }
  std::unique_ptr<Task> open(const TaskRequest& request) const override {
    if (is_asked(request.options)) return open_asked(request);
    return std::make_unique<Vilma>(wanted_by(request.options, request.is_compat));
  }

 private:
  TaskFacts facts_ = {
      .name = "vilma",
      .summary = "does the true caption of a clip beat its foils, and the easier proficiency pair?",
      .paper = "arXiv 2311.07022",
      .data =
          "ViLMA annotations (MIT) with the clips, or with results files of any model; brought by "
          "the user",
      .settings = {settings_block()},
      .takes_part = true,
      .reads_results = true,
      .parts = {"counting-easy",
                "counting-hard",
                "counting",
                "action-replacement",
                "actor-swapping",
                "situation",
                "change-state-action",
                "change-state-prestate",
                "change-state-poststate",
                "change-state-inverse",
                "change-state",
                "rare-actions-verb",
                "rare-actions-noun",
                "rare-actions",
                "relations",
                "average"},
      .columns = {{.name = "P", .is_share = true, .chance = 0.5},
                  {.name = "T", .is_share = true},
                  {.name = "PT", .is_share = true}},
      .without_run = without_run,
      .report = report_of,
      .needs_no_folder = true};
};

}  // namespace
}  // namespace snellen::tasks::vilma

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_vilma();
std::unique_ptr<TaskEntry> make_vilma() {
  return std::make_unique<vilma::VilmaEntry>();
}

}  // namespace snellen::tasks
