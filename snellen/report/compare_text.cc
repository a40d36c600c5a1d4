// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/compare_text.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/report/stored_run.h"
#include "snellen/report/summary.h"

namespace snellen::report {
namespace {

constexpr size_t kIdWidth = 120;
// Tails of the normal and t distributions are not computed to further digits.
constexpr double kSmallestP = 1e-15;

struct Section {
  std::string title;
  Table table;
};

// What the later of the two runs is called in headings: its letter, or "it" when there are several.
std::string later(const Comparison& comparison) {
  return comparison.runs.size() == 2 ? "B" : "it";
}

std::string pair_of(size_t run, const Comparison& comparison) {
  return fmt::format("{} - A", comparison.runs[run].label);
}

std::string shown_difference(double value) {
  return std::isnan(value) ? "undefined" : fmt::format("{:+.4f}", value);
}

std::string shown_interval(const ComparedRow& row) {
  if (!row.interval) return row.reason.empty() ? "" : "none: " + row.reason;
  return fmt::format("[{}, {}] {}",
                     shown_difference(row.interval->low),
                     shown_difference(row.interval->high),
                     row.interval->method);
}

std::string shown_decision(const std::optional<bool>& is_right) {
  return is_right ? (*is_right ? "right" : "wrong") : "-";
}

Table runs_table(const Comparison& comparison) {
  Table table({{"run"}, {"model"}, {"verdict"}, {"folder"}});
  for (const ComparedRun& run : comparison.runs) {
    table.add({run.label,
               fit_text(run.model),
               fit_text(run.verdict, 20),
               fit_text(run.folder, kIdWidth)});
  }
  return table;
}

Table coverage_table(const Comparison& comparison) {
  std::string it = later(comparison);
  Table table({{"pair"},
               {"task"},
               {"part"},
               {"scored in A", true},
               {"scored in " + it, true},
               {"common", true},
               {"not scored in A", true},
               {"not scored in " + it, true},
               {"note"}});
  for (const Coverage& one : comparison.coverage) {
    table.add({pair_of(one.run, comparison),
               fit_text(one.task),
               fit_text(one.part),
               std::to_string(one.first_scored),
               std::to_string(one.second_scored),
               std::to_string(one.common),
               std::to_string(one.first_unscored),
               std::to_string(one.second_unscored),
               one.common == 0  ? "nothing in common, not compared"
               : one.is_whole() ? "all items"
                                : "compared on the common items only"});
  }
  return table;
}

Table decisions_table(const Comparison& comparison) {
  std::string it = later(comparison);
  Table table({{"pair"},
               {"task"},
               {"A (share right)", true},
               {it + " (share right)", true},
               {"difference", true},
               {"interval"},
               {"n", true},
               {"effective n", true},
               {"both right", true},
               {"only A", true},
               {"only " + it, true},
               {"both wrong", true},
               {"p", true},
               {"p Holm", true},
               {"test"},
               {"detectable", true},
               {"finding"}});
  for (const ComparedRow& row : comparison.rows) {
    if (row.kind == RowKind::kColumn) continue;
    PairedCounts counts = row.counts.value_or(PairedCounts{});
    table.add({pair_of(row.run, comparison),
               fit_text(row.id, kIdWidth),
               shown(row.first),
               shown(row.second),
               shown_difference(row.difference),
               shown_interval(row),
               std::to_string(row.n),
               fmt::format("{:.0f}", row.effective_n),
               std::to_string(counts.both_right),
               std::to_string(counts.only_first),
               std::to_string(counts.only_second),
               std::to_string(counts.both_wrong),
               shown_p(row.p, row),
               shown_p(row.p_holm, row),
               row.p_method,
               row.detectable ? shown(*row.detectable) : "none",
               finding_of(row, comparison)});
  }
  return table;
}

Table metrics_table_of(const Comparison& comparison) {
  std::string it = later(comparison);
  Table table({{"pair"},
               {"metric"},
               {"unit"},
               {"A", true},
               {it, true},
               {"difference", true},
               {"interval"},
               {"n", true},
               {"left out", true},
               {"ties A", true},
               {"ties " + it, true},
               {"p", true},
               {"p Holm", true},
               {"test"},
               {"detectable", true},
               {"finding"}});
  for (const ComparedRow& row : comparison.rows) {
    if (row.kind != RowKind::kColumn) continue;
    table.add({pair_of(row.run, comparison),
               fit_text(row.id, kIdWidth),
               row.is_share ? "share" : "mean",
               shown(row.first),
               shown(row.second),
               shown_difference(row.difference),
               shown_interval(row),
               std::to_string(row.n),
               std::to_string(row.num_undefined),
               std::to_string(row.first_ties),
               std::to_string(row.second_ties),
               shown_p(row.p, row),
               shown_p(row.p_holm, row),
               row.p_method,
               row.detectable ? shown(*row.detectable) : "none",
               finding_of(row, comparison)});
  }
  return table;
}

Table pooled_table(const Comparison& comparison) {
  std::string it = later(comparison);
  Table table({{"pair"},
               {"metric"},
               {"A", true},
               {it, true},
               {"difference", true},
               {"n of A", true},
               {"n of " + it, true}});
  for (const PooledRow& row : comparison.pooled) {
    table.add({pair_of(row.run, comparison),
               fit_text(row.id, kIdWidth),
               shown(row.first),
               shown(row.second),
               shown_difference(row.second - row.first),
               std::to_string(row.first_n),
               std::to_string(row.second_n)});
  }
  return table;
}

Table items_table(const Comparison& comparison) {
  std::string it = later(comparison);
  Table table({{"pair"},
               {"task"},
               {"item"},
               {"A"},
               {it},
               {"margin A", true},
               {"margin " + it, true},
               {"difference", true}});
  for (const ComparedItem& one : comparison.items) {
    const Disagreement& what = one.what;
    table.add({pair_of(one.run, comparison),
               fit_text(one.task),
               fit_text(what.item),
               shown_decision(what.first_right),
               shown_decision(what.second_right),
               shown(what.first_margin),
               shown(what.second_margin),
               shown_difference(what.second_margin - what.first_margin)});
  }
  return table;
}

Table ranks_table(const Comparison& comparison) {
  Table table({{"task"},
               {"run"},
               {"model"},
               {"share right", true},
               {"n", true},
               {"rank", true},
               {"rank interval"}});
  for (const RankRow& one : comparison.ranks) {
    table.add({fit_text(one.task),
               comparison.runs[one.run].label,
               fit_text(comparison.runs[one.run].model),
               shown(one.value),
               std::to_string(one.n),
               std::to_string(one.rank),
               fmt::format("{} to {}", one.low, one.high)});
  }
  return table;
}

Table warnings_table(const Comparison& comparison) {
  Table table({{"warning"}});
  for (const std::string& line : comparison.warnings) table.add({line});
  return table;
}

std::vector<Section> sections_of(const Comparison& comparison) {
  std::vector<Section> sections;
  sections.push_back({"Runs", runs_table(comparison)});
  sections.push_back({"Items", coverage_table(comparison)});
  sections.push_back({"Decisions", decisions_table(comparison)});
  sections.push_back({"Ranks by decisions, 1 the best", ranks_table(comparison)});
  sections.push_back({"Metrics", metrics_table_of(comparison)});
  sections.push_back(
      {"Pooled metrics, each run over its own items: no paired test", pooled_table(comparison)});
  sections.push_back({"Items of largest disagreement by margin", items_table(comparison)});
  sections.push_back({"Warnings", warnings_table(comparison)});
  std::erase_if(sections, [](const Section& section) { return section.table.is_empty(); });
  return sections;
}

std::string notes_of(const Comparison& comparison) {
  const CompareOptions& options = comparison.options;
  std::string intervals =
      options.bootstrap > 0
          ? fmt::format(
                "percentile bootstrap of the differences, {} replicates, seed {}, over "
                "clusters where items share them",
                options.bootstrap,
                options.seed)
          : std::string("Student's t over items, or over the pictures or clips that items share");
  std::string shares = options.test == PairedTest::kMcNemar
                           ? "McNemar's test for shares, as asked for"
                           : "McNemar's test for shares of independent items";
  return fmt::format(
      "Differences are later run - A on the common items, in the unit of the values (shares are "
      "fractions). Intervals: {:g}%, {}.\n"
      "p: {} (exact below 25 discordant items, else corrected); sign flips of whole clusters where "
      "items share them and for means, {} draws or more; the t test of the interval where items "
      "show two pictures. <p: no draw was as far. "
      "Holm's families: {} decisions of tasks; {} decisions of parts; {} metrics. A finding has an "
      "adjusted p below {}.\n"
      "effective n: how many independent items would tell as much. detectable: the smallest true "
      "difference found with power 0.8 at alpha 0.05; none: even all discordant items on one side "
      "would not be found.{}\n",
      options.confidence * 100,
      intervals,
      shares,
      options.permutations,
      comparison.family_size(RowKind::kTask),
      comparison.family_size(RowKind::kPart),
      comparison.family_size(RowKind::kColumn),
      kFindingAlpha,
      comparison.ranks.empty()
          ? ""
          : "\nrank interval: 1 + the runs found better, to the last place less the runs found "
            "worse, p-values adjusted over all pairs of runs of the task.");
}

std::string digits(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? python_float(*number) : "";
}

}  // namespace

std::string shown_p(const std::optional<double>& p, const ComparedRow& row) {
  if (!p) return "";
  if (*p < kSmallestP) return fmt::format("<{:g}", kSmallestP);
  return fmt::format("{}{:.3g}", row.is_p_floor && *p < 1.0 ? "<" : "", *p);
}

std::string finding_of(const ComparedRow& row, const Comparison& comparison) {
  if (!row.p_holm) return "";
  if (*row.p_holm >= kFindingAlpha || row.difference == 0.0) return "none found";
  bool is_later_better = (row.difference > 0.0) == row.higher_is_better;
  return fmt::format("{} better", comparison.runs[is_later_better ? row.run : 0].label);
}

std::string comparison_as_text(const Comparison& comparison) {
  std::string text;
  for (const Section& section : sections_of(comparison))
    text += fmt::format("{}\n{}\n", section.title, section.table.as_text());
  return text + notes_of(comparison);
}

std::string comparison_as_markdown(const Comparison& comparison) {
  std::string text;
  for (const Section& section : sections_of(comparison))
    text += fmt::format("## {}\n\n{}\n", section.title, section.table.as_markdown());
  return text + notes_of(comparison);
}

std::string comparison_as_csv(const Comparison& comparison) {
  Table table({{"first"},       {"second"},           {"kind"},        {"id"},
               {"unit"},        {"higher_is_better"}, {"n"},           {"left_out"},
               {"value_first"}, {"value_second"},     {"difference"},  {"low"},
               {"high"},        {"interval"},         {"ties_first"},  {"ties_second"},
               {"both_right"},  {"only_first"},       {"only_second"}, {"both_wrong"},
               {"p"},           {"p_method"},         {"mid_p"},       {"p_holm"},
               {"detectable"},  {"finding"},          {"clusters"},    {"effective_n"}});
  for (const ComparedRow& row : comparison.rows) {
    auto count = [&](uint64_t PairedCounts::*member) {
      return row.counts ? std::to_string((*row.counts).*member) : std::string();
    };
    std::string floor = row.is_p_floor ? "<" : "";  // no draw was as far
    table.add({comparison.runs[0].label,
               comparison.runs[row.run].label,
               std::string(name_of(row.kind)),
               fit_text(row.id, kIdWidth),
               row.is_share ? "share" : "mean",
               row.higher_is_better ? "true" : "false",
               std::to_string(row.n),
               std::to_string(row.num_undefined),
               digits(row.first),
               digits(row.second),
               digits(row.difference),
               row.interval ? digits(row.interval->low) : "",
               row.interval ? digits(row.interval->high) : "",
               row.interval ? row.interval->method : "",
               std::to_string(row.first_ties),
               std::to_string(row.second_ties),
               count(&PairedCounts::both_right),
               count(&PairedCounts::only_first),
               count(&PairedCounts::only_second),
               count(&PairedCounts::both_wrong),
               floor + digits(row.p),
               row.p_method,
               digits(row.mid_p),
               floor + digits(row.p_holm),
               digits(row.detectable),
               finding_of(row, comparison),
               std::to_string(row.num_clusters),
               digits(row.effective_n)});
  }
  return table.as_csv();
}

}  // namespace snellen::report
