// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/json_object.h"
#include "snellen/metrics/vilma/vilma_leaderboard.h"
#include "snellen/metrics/vilma/vilma_suite_text.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/vilma/flags.h"
#include "snellen/tasks/vilma/sources.h"
#include "snellen/tasks/vilma/suite_table.h"

namespace snellen::tasks::vilma {
namespace {

constexpr size_t kIdsPrinted = 10;
constexpr int kFinishedWithRefusals = 4;

DirectOutput merge_results(const VilmaSettings& settings, bool wants_json) {
  if (settings.merge.size() < 2)
    throw Error{
        ErrorCode::kUsage, "needs at least two results files", "--merge", "--merge A B -o OUT"};
  if (settings.merged.empty())
    throw Error{ErrorCode::kUsage, "no output file named", "--output-file", "--merge A B -o OUT"};
  const std::vector<std::filesystem::path> inputs(settings.merge.begin(), settings.merge.end());
  const annotations::VilmaMerge merge = annotations::merge_vilma_results(
      inputs, settings.merged, annotations::VilmaLayout::kIndent4, settings.on_conflict);
  if (wants_json)
    return {.text = json_object({{"output", settings.merged.string()},
                                 {"items", merge.num_items},
                                 {"replaced", merge.replaced}})
                        .text +
                    "\n",
            .note = {}};
  DirectOutput output;
  if (!merge.replaced.empty()) {
    const size_t shown = std::min(kIdsPrinted, merge.replaced.size());
    output.note = fmt::format(
        "note: {} ids occur twice, the last one is kept: {}{}\n",
        merge.replaced.size(),
        fmt::join(
            merge.replaced.begin(), merge.replaced.begin() + static_cast<int64_t>(shown), " "),
        merge.replaced.size() > shown ? " ..." : "");
  }
  output.note += fmt::format("{} items -> {}\n", merge.num_items, settings.merged.string());
  return output;
}

std::vector<std::string> reference_lines(const config::Options& options) {
  return reference_stdout(wanted_by(options, /*is_compat=*/true));
}

TextTable leaderboard(std::span<const metrics::VilmaLeader> leaders) {
  TextTable table{
      .title = "P+T in percent beside the public leaderboard (orientation, not a pass mark)",
      .columns =
          {"model", "type", "counting", "situation", "change-state", "rare", "relations", "avg"},
      .is_number = {false, false, true, true, true, true, true, true},
      .rows = {}};
  auto cell = [](const std::optional<double>& percent) {
    return percent ? fmt::format("{:.1f}", *percent) : std::string("-");
  };
  for (const metrics::VilmaLeader& leader : leaders) {
    std::vector<std::string> row = {leader.is_ours ? leader.model + " <-" : leader.model,
                                    leader.type};
    for (const std::optional<double>& percent : leader.percents) row.push_back(cell(percent));
    row.push_back(cell(leader.average));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::optional<DirectOutput> without_run(const DirectRequest& request) {
  const auto& settings = request.options.get<VilmaSettings>();
  if (!settings.merge.empty()) return merge_results(settings, request.wants_json);
  if (!settings.merged.empty())
    throw Error{ErrorCode::kUsage,
                "is only used together with --merge",
                "--output-file",
                "name a run folder with --output FOLDER"};
  const bool is_reference = request.is_compat && settings.suite.empty() && !request.wants_json;
  if (!is_reference || request.has_folder || is_asked(request.options)) return std::nullopt;
  return DirectOutput{
      .text = fmt::format("{}\n", fmt::join(reference_lines(request.options), "\n")), .note = {}};
}

TaskReport report_of(const ReportRequest& request) {
  if (is_asked(request.options)) return {};
  const auto& settings = request.options.get<VilmaSettings>();
  TaskReport report;
  if (request.is_compat && settings.suite.empty()) {
    report.reference_lines = reference_lines(request.options);
  } else {
    report.heading =
        fmt::format("ViLMA, fractions of 1, {:g} % intervals\n", 100.0 * request.confidence);
  }
  if (!settings.suite.empty()) {
    const auto rows = placed_rows(settings.suite, request.options.get<SharedSettings>().data);
    const metrics::VilmaSuite suite = suite_of(rows, request.metrics);
    const auto leaders =
        metrics::vilma_leaders_with(suite, request.name.empty() ? "yours" : request.name);
    report.tables.push_back(leaderboard(leaders));
    report.json.add({{"suite", JsonText{metrics::vilma_suite_json(suite, leaders)}}});
  }
  for (const metrics::Measurement& one : request.metrics) {
    if (!one.reason.starts_with("score_out_of_range")) continue;
    report.exit_code = kFinishedWithRefusals;
    report.problem = fmt::format(
        "{} (p_c, p_f, min, acc and auroc need probabilities; scale the scores, or use -m "
        "similarity)",
        one.reason);
    break;
  }
  return report;
}

}  // namespace snellen::tasks::vilma
