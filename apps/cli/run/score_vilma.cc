// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/score_vilma.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/annotations/vilma/vilma_results_writer.h"
#include "snellen/base/python_json.h"
#include "snellen/metrics/vilma/vilma_leaderboard.h"
#include "snellen/metrics/vilma/vilma_suite_text.h"
#include "snellen/report/summary.h"
#include "snellen/tasks/vilma/sources.h"
#include "snellen/tasks/vilma/suite_table.h"

namespace snellen::cli {
namespace {

namespace vilma = tasks::vilma;

constexpr size_t kIdsPrinted = 10;
constexpr int kFinishedWithRefusals = 4;

int merge_results(const Context& context, const VilmaFlags& flags) {
  if (flags.merge.size() < 2) {
    throw Error{ErrorCode::kUsage, "one file is nothing to merge", "--merge", "--merge A B -o OUT"};
  }
  if (flags.merged.empty()) {
    throw Error{ErrorCode::kUsage, "no output file named", "--output-file", "--merge A B -o OUT"};
  }
  const std::vector<std::filesystem::path> inputs(flags.merge.begin(), flags.merge.end());
  const annotations::VilmaMerge merge = annotations::merge_vilma_results(
      inputs,
      flags.merged,
      annotations::VilmaLayout::kIndent4,
      flags.on_conflict == "error" ? annotations::OnConflict::kError
                                   : annotations::OnConflict::kLast);
  if (context.wants_json) {
    std::string ids;
    for (const std::string& id : merge.replaced) ids += (ids.empty() ? "" : ", ") + json_string(id);
    fmt::print("{{\"output\": {}, \"items\": {}, \"replaced\": [{}]}}\n",
               json_string(flags.merged),
               merge.num_items,
               ids);
    return 0;
  }
  if (!merge.replaced.empty()) {
    fmt::print(
        stderr, "note: {} ids were given twice, the last one is kept:", merge.replaced.size());
    for (size_t i = 0; i < std::min(kIdsPrinted, merge.replaced.size()); ++i) {
      fmt::print(stderr, " {}", merge.replaced[i]);
    }
    fmt::print(stderr, "{}\n", merge.replaced.size() > kIdsPrinted ? " ..." : "");
  }
  fmt::print(stderr, "{} items -> {}\n", merge.num_items, flags.merged);
  return 0;
}

report::Table leaderboard(std::span<const metrics::VilmaLeader> leaders) {
  report::Table table({{"model"},
                       {"type"},
                       {"counting", true},
                       {"situation", true},
                       {"change-state", true},
                       {"rare", true},
                       {"relations", true},
                       {"avg", true}});
  auto cell = [](const std::optional<double>& percent) {
    return percent ? fmt::format("{:.1f}", *percent) : std::string("-");
  };
  for (const metrics::VilmaLeader& leader : leaders) {
    std::vector<std::string> row = {leader.is_ours ? leader.model + " <-" : leader.model,
                                    leader.type};
    for (const std::optional<double>& percent : leader.percents) row.push_back(cell(percent));
    row.push_back(cell(leader.average));
    table.add(std::move(row));
  }
  return table;
}

// The suite's tables as results.json has their numbers.
struct SuiteReport {
  metrics::VilmaSuite suite;
  std::vector<metrics::VilmaLeader> leaders;
};

SuiteReport suite_report(const config::Options& options, const run::RunSummary& summary) {
  const auto rows = vilma::placed_rows(options.text("suite"), options.text("data"));
  SuiteReport report{vilma::suite_of(rows, summary.results.metrics), {}};
  const std::string& name = options.text("name");
  report.leaders = metrics::vilma_leaders_with(report.suite, name.empty() ? "yours" : name);
  return report;
}

// Metrics that were refused for a score that is no probability: the run is whole, but not all of
// what was asked for could be said.
std::string refusal(const store::Results& results) {
  for (const metrics::Measurement& one : results.metrics) {
    if (one.reason.starts_with("score_out_of_range")) return one.reason;
  }
  return {};
}

void print_report(const config::Options& options,
                  const run::RunSummary& summary,
                  const ShowOptions& show) {
  const bool is_csv = show.format == Format::kCsv;
  if (!is_csv) {
    fmt::print("ViLMA, fractions of 1, {:g} % intervals\n\n", 100.0 * options.number("confidence"));
  }
  print_table(report::metrics_table(summary.results, show.with_breakdowns), show.format);
  // One table a CSV; the leaderboard is in the other formats.
  if (is_csv || options.text("suite").empty()) return;
  const SuiteReport report = suite_report(options, summary);
  fmt::print("\nP+T in percent beside the public leaderboard (orientation, not a pass mark)\n\n");
  print_table(leaderboard(report.leaders), show.format);
}

void print_reference_stdout(const config::Options& options) {
  const vilma::Wanted wanted = vilma::wanted_by(options, /*is_compat=*/true);
  for (const std::string& line : vilma::reference_stdout(wanted)) fmt::print("{}\n", line);
}

int score_and_show(Context& context, const config::Options& options, const ShowOptions& show) {
  const bool has_folder = options.is_set("output");
  const bool is_reference =
      options.flag("compat") && options.text("suite").empty() && !context.wants_json;
  if (is_reference && !has_folder) {
    print_reference_stdout(options);
    return 0;
  }
  const run::RunSummary summary = run_with_progress(context, options, has_folder);
  if (summary.verdict == run::Verdict::kInterrupted) return show_summary(context, summary, show);
  const std::string refused = refusal(summary.results);
  if (context.wants_json) {
    std::string more;
    if (!options.text("suite").empty()) {
      const SuiteReport report = suite_report(options, summary);
      more = ", \"suite\": " + metrics::vilma_suite_json(report.suite, report.leaders);
    }
    fmt::print("{}", summary_json(summary, more));
  } else {
    print_failures(summary);
    if (is_reference) {
      print_reference_stdout(options);
    } else {
      print_report(options, summary, show);
    }
    print_closing_line(summary);
    if (!refused.empty()) {
      fmt::print(stderr,
                 "snellen: {} (p_c, p_f, min, acc and auroc need probabilities; scale the scores, "
                 "or use -m similarity)\n",
                 refused);
    }
  }
  const int code = exit_code_of_verdict(summary.verdict);
  return code == 0 && !refused.empty() ? kFinishedWithRefusals : code;
}

}  // namespace

std::shared_ptr<VilmaFlags> add_vilma_flags(CLI::App& verb) {
  auto flags = std::make_shared<VilmaFlags>();
  verb.add_option("--merge", flags->merge, "ViLMA: join results files into one, in this order")
      ->type_name("FILE...");
  verb.add_option("-o,--output-file", flags->merged, "ViLMA: where the merged results file goes")
      ->type_name("FILE");
  verb.add_option("--on-conflict",
                  flags->on_conflict,
                  "ViLMA: an id that two merged files give (default last, with a note)")
      ->check(CLI::IsMember({"error", "last"}));
  return flags;
}

int score_vilma(Context& context,
                const config::Options& options,
                const VilmaFlags& flags,
                const ShowOptions& show) {
  if (!flags.merge.empty()) return merge_results(context, flags);
  if (!flags.merged.empty()) {
    throw Error{ErrorCode::kUsage,
                "is only for --merge",
                "--output-file",
                "a run folder is asked for with --output FOLDER"};
  }
  return score_and_show(context, options, show);
}

}  // namespace snellen::cli
