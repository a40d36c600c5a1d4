// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/pages/report_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/report/markup_text.h"
#include "snellen/report/pages/published.h"
#include "snellen/report/summary.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostRounds = 6;

// "83.7 % [80.1, 86.9]", or with four digits for what is no share.
std::string shown_with_interval(const metrics::Measurement& one) {
  if (!std::isfinite(one.value)) return "undefined";
  const bool is_share =
      one.value >= 0 && one.value <= 1 && one.high.value_or(1) <= 1 && one.low.value_or(0) >= 0;
  const double factor = is_share ? 100 : 1;
  const int decimals = is_share ? 1 : 3;
  std::string text = fmt::format("{:.{}f}{}", factor * one.value, decimals, is_share ? " %" : "");
  if (one.low && one.high)
    text += fmt::format(
        " [{:.{}f}, {:.{}f}]", factor * *one.low, decimals, factor * *one.high, decimals);
  return text;
}

// A row per model, a column per headline metric.
NamedTable summary_table(const ReportInput& input) {
  std::vector<std::string> ids;
  for (const ReportRun& run : input.runs) {
    for (const std::string& id : headline_ids(run.results))
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  std::vector<Table::Heading> headings = {{"metric"}};
  const std::vector<std::string> labels = input.labels();
  for (const std::string& label : labels) headings.push_back({label, true});
  headings.push_back({"chance", true});
  Table table(std::move(headings));
  for (const std::string& id : ids) {
    std::vector<std::string> cells = {id};
    std::optional<double> chance;
    for (const std::string& label : labels) {
      const metrics::Measurement* one = input.find(label, id);
      cells.push_back(one ? fmt::format("{}, n {}", shown_with_interval(*one), one->n) : "");
      if (one && !chance) chance = input.chance(label, id);
    }
    cells.push_back(chance ? fmt::format("{:.1f} %", 100 * *chance) : "");
    table.add(std::move(cells));
  }
  return {"summary",
          "Summary",
          "Headline metrics with 95 % intervals and the number of items.",
          std::move(table)};
}

// Every metric of a task family, models side by side.
std::optional<NamedTable> family_table(const ReportInput& input,
                                       const std::string& start,
                                       const std::string& title) {
  const std::vector<std::string> ids = input.ids(start);
  if (ids.empty()) return std::nullopt;
  std::vector<Table::Heading> headings = {{"metric"}};
  std::vector<std::string> labels;
  for (const std::string& label : input.labels()) {
    if (std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
          return input.find(label, id) != nullptr;
        }))
      labels.push_back(label);
  }
  for (const std::string& label : labels) headings.push_back({label, true});
  Table table(std::move(headings));
  for (const std::string& id : ids) {
    std::vector<std::string> cells = {id};
    for (const std::string& label : labels) {
      const metrics::Measurement* one = input.find(label, id);
      cells.push_back(one ? fmt::format("{}, n {}", shown_with_interval(*one), one->n) : "");
    }
    table.add(std::move(cells));
  }
  return NamedTable{"visdial", title, "Means over entries with 95 % intervals.", std::move(table)};
}

// Who took which candidates: a row per round. At most kMostRounds of all runs.
void add_rounds(const ReportInput& input, Report& report) {
  for (const ReportRun& run : input.runs) {
    if (!has_sets(run) || report.rounds.size() >= kMostRounds) continue;
    try {
      for (ShownRound& round : shown_rounds(run, kMostRounds - report.rounds.size()))
        report.rounds.push_back(std::move(round));
    } catch (const Error& error) {
      report.notes.push_back(fmt::format("{}: samples.db: {}", run.name, error.message()));
    }
  }
  if (report.rounds.empty()) return;
  Table table({{"picture"}, {"question"}, {"candidates"}, {"chosen by"}, {"members"}});
  for (const ShownRound& round : report.rounds) {
    for (const ShownRound::Chosen& chosen : round.chosen) {
      const bool is_first = &chosen == &round.chosen.front();
      table.add({is_first ? round.picture : "",
                 is_first ? round.question : "",
                 is_first ? fmt::format("{}", round.candidates.size()) : "",
                 chosen.by,
                 fmt::format("{}", fmt::join(texts_at(round, chosen), "; "))});
    }
  }
  report.tables.push_back({"visdial-rounds",
                           "Rounds of dialogs with their reference sets",
                           "The first rounds whose set has more than one member and that people "
                           "judged.",
                           std::move(table)});
}

}  // namespace

Report make_report(const ReportInput& input) {
  Report report;
  report.notes = input.notes;
  report.figures = figures_of(input, report.notes);
  if (!input.runs.empty()) report.tables.push_back(summary_table(input));
  if (auto table = family_table(input, "visdial", "Visual dialogue"))
    report.tables.push_back(std::move(*table));
  add_rounds(input, report);
  for (const PublishedPaper& paper : published_papers()) {
    if (!paper.none.empty() && !input.ids(paper.task).empty())
      report.notes.push_back(fmt::format("{}: {}", paper.paper, paper.none));
    for (const PublishedTable& table : paper.tables) {
      for (std::string& sentence : runs_without_place(table, input))
        report.notes.push_back(std::move(sentence));
      if (is_relevant(table, input))
        report.tables.push_back({table.name,
                                 table.title,
                                 fmt::format("{}. {}", paper.paper, table.note),
                                 published_table(table, input)});
    }
  }
  report.differences = run_comparisons(input, report.notes);
  for (const ReportRun& run : input.runs) {
    const std::string name = fit_text(run.name, 100);
    report.metrics.push_back({name,
                              name,
                              fmt::format("model {}, {}", run.label, run.stored.verdict),
                              metrics_table(run.results, /*with_breakdowns=*/false)});
    report.sections.push_back(fmt::format("{}: {}, {}", name, run.label, run.stored.verdict));
  }
  return report;
}

std::string report_as_markdown(const Report& report) {
  std::string text = "# Snellen report\n\n";
  for (const std::string& note : report.notes)
    text += fmt::format("> {}\n>\n", markdown_text(note));
  for (const NamedTable& one : report.tables)
    text += fmt::format("\n## {}\n\n{}\n\n{}",
                        markdown_text(one.title),
                        markdown_text(one.note),
                        one.table.as_markdown());
  for (const RunComparison& one : report.differences) {
    text += fmt::format("\n## Differences between runs: {}\n\n{}\n\n",
                        markdown_text(one.title),
                        markdown_text(one.note));
    for (const std::string& warning : one.warnings)
      text += fmt::format("> {}\n>\n", markdown_text("warning: " + warning));
    for (const Table* table : {&one.decisions, &one.metrics, &one.ranks})
      if (!table->is_empty()) text += "\n" + table->as_markdown();
  }
  text += "\n## Figures\n\n";
  for (const Figure& figure : report.figures)
    text += fmt::format("![{0}](figures/{1}.svg)\n\n**{0}.** {2}\n\n",
                        markdown_text(figure.title),
                        figure.name,
                        markdown_text(figure.caption));
  return text;
}

std::string report_as_latex(const Report& report) {
  std::string text = "% Tables of a Snellen report; \\input what you need.\n";
  for (const NamedTable& one : report.tables)
    text += fmt::format(
        "\n% {}: {}\n{}", latex_text(one.title), latex_text(one.note), one.table.as_latex());
  return text;
}

std::vector<fs::path> write_report(const Report& report, const fs::path& folder) {
  std::vector<fs::path> written;
  auto write = [&](const fs::path& file, const std::string& text) {
    write_text_file(folder / file, text, Sync::kLater);
    written.push_back(file);
  };
  fs::create_directories(folder / "figures");
  fs::create_directories(folder / "tables");
  for (const Figure& figure : report.figures) {
    write(fs::path("figures") / (figure.name + ".svg"), figure.svg);
    write(fs::path("figures") / (figure.name + ".csv"), figure.numbers.as_csv());
  }
  for (const NamedTable& table : report.tables)
    write(fs::path("tables") / (table.name + ".csv"), table.table.as_csv());
  for (const RunComparison& one : report.differences)
    write(fs::path("tables") / (one.name + ".csv"), one.csv);
  write("report.md", report_as_markdown(report));
  write("tables.tex", report_as_latex(report));
  write("report.html", report_as_html(report));
  return written;
}

}  // namespace snellen::report
