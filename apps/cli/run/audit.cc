// SPDX-License-Identifier: Apache-2.0
// Can the texts of a task alone tell which one is right?
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/print.h"
#include "apps/cli/run/places.h"
#include "apps/cli/run/show_settings.h"
#include "apps/cli/setting_flags.h"
#include "snellen/audit/audit.h"
#include "snellen/base/files.h"
#include "snellen/report/summary.h"

namespace snellen::cli {
namespace {

std::string name_of_group(const audit::Group& group) {
  return group.name.empty() ? "all items" : group.name;
}

std::string bounds(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? fmt::format("[{:.3f}, {:.3f}]", *low, *high) : "";
}

void print_cues(const audit::AuditReport& report, const ShowSettings& show) {
  report::Table table({{"group"},
                       {"texts chosen by"},
                       {"right", true},
                       {"interval"},
                       {"chance", true},
                       {"n", true},
                       {"p", true},
                       {"leak"}});
  for (const audit::CueRow& row : report.rows) {
    const bool is_lower = row.value < row.chance;
    table.add({name_of_group(row.group),
               std::string(name_of(row.cue)),
               fmt::format("{:.3f}", row.value),
               bounds(row.low, row.high),
               fmt::format("{:.3f}", row.chance),
               std::to_string(row.n),
               row.p_holm ? fmt::format("{:.2g}", *row.p_holm) : "",
               !row.is_alarm ? ""
               : is_lower    ? "yes, turned"
                             : "yes"});
  }
  print_table(table, show.format, show.is_wide);
}

void print_word_order(const audit::AuditReport& report, const ShowSettings& show) {
  report::Table table({{"group"},
                       {"same words reordered", true},
                       {"choices", true},
                       {"share", true},
                       {"interval"}});
  for (const audit::WordOrderRow& row : report.word_order) {
    if (row.num_same_words == 0 && row.group.kind != "all") continue;
    const double share = static_cast<double>(row.num_same_words) / static_cast<double>(row.n);
    table.add({name_of_group(row.group),
               std::to_string(row.num_same_words),
               std::to_string(row.n),
               fmt::format("{:.3f}", share),
               bounds(row.low, row.high)});
  }
  print_table(table, show.format, show.is_wide);
}

void print_items(const audit::AuditReport& report, const ShowSettings& show) {
  report::Table table({{"item"}, {"right by"}, {"right text"}, {"wrong text"}});
  for (const audit::LeakyItem& item : report.items) {
    std::vector<std::string_view> cues;
    for (const audit::Cue cue : item.cues) cues.push_back(name_of(cue));
    table.add({item.id,
               fmt::format("{}", fmt::join(cues, ", ")),
               fmt::format("{}", fmt::join(item.right, " | ")),
               fmt::format("{}", fmt::join(item.wrong, " | "))});
  }
  print_table(table, show.format, show.is_wide);
}

void print_report(const audit::AuditReport& report, const ShowSettings& show) {
  for (const std::string& note : report.notes) print_note("note: {}\n", note);
  print_cues(report, show);
  if (show.format == Format::kCsv) return;  // a CSV holds one table
  fmt::print("\nTexts that are the same words in another order\n\n");
  print_word_order(report, show);
  if (!report.items.empty()) {
    fmt::print("\nThe leakiest items\n\n");
    print_items(report, show);
  }
  fmt::print("\n{}\n",
             report.has_alarm()
                 ? "The texts alone tell more than chance which one is right: see \"leak\"."
                 : "No sign that the texts alone tell which one is right.");
  std::fflush(stdout);
  print_note("{} items of {}{}{}\n",
             report.num_items,
             report.task,
             report.num_bad > 0 ? fmt::format(", {} bad records left out", report.num_bad) : "",
             report.num_left_out > 0
                 ? fmt::format(", {} questions left out that are no choice between 2 to 26 texts",
                               report.num_left_out)
                 : "");
}

int run_audit(Context& context, config::Options options) {
  const ShowSettings shown = options.get<ShowSettings>();
  context.wants_json = context.wants_json || shown.wants_json;
  if (shown.task.empty())
    throw Error{ErrorCode::kUsage,
                "no task named",
                "audit",
                "for example snellen audit probe-r; `snellen list tasks` shows all"};
  options.set("tasks", shown.task, "audit");
  const bool has_model = options.is_set("model");
  if (!has_model) options.set("adapter", "given", "audit");
  const bool is_served = options.get<run::RunSettings>().model.starts_with("openai:");
  if (is_served && !options.is_set("score")) options.set("score", "likelihood", "audit");
  set_places(context, options);
  const run::RunRequest request = run_request(context, options);
  const audit::AuditReport report = audit::audit_task(request, has_model, {});
  const std::string json = audit::audit_json(report);
  if (options.is_set("output")) {
    const std::filesystem::path folder = options.get<run::RunSettings>().output;
    std::filesystem::create_directories(folder);
    std::string name = report.task;
    for (char& c : name) c = c == '/' || c == ':' ? '-' : c;
    write_text_file(folder / fmt::format("audit-{}.json", name), json);
  }
  if (context.wants_json) {
    fmt::print("{}", json);
  } else {
    print_report(report, shown);
  }
  return report.num_bad > 0 ? 4 : 0;
}

}  // namespace

std::function<int()> add_audit(Command app, Context& context) {
  Command verb =
      app.add_subcommand("audit", "find out whether the texts of a task alone can solve it");
  verb.footer(
      "Looks at texts, never at pictures: length, word order, a classifier of words and, with\n"
      "--model, a language model's likelihood. --output DIR writes DIR/audit-TASK.json.\n"
      "Examples:\n"
      "  snellen audit probe-r --data annotations\n"
      "  snellen audit file:items.jsonl --model models/gpt2 --output audits\n"
      "  snellen audit probe-r --model openai:NAME --base-url http://127.0.0.1:8000/v1");
  auto flags = std::make_shared<SettingFlags>(
      verb,
      run_and_show_options(context),
      [](const std::string& owner, const config::Options& settings) {
        const std::string& task = settings.get<ShowSettings>().task;
        const std::string& model = settings.get<run::RunSettings>().model;
        return owner == "task " + task.substr(0, task.find_first_of(":/")) ||
               owner == "model " + model.substr(0, model.find(':'));
      },
      std::vector<std::string>{"tasks",
                               "dry-run",
                               "json",
                               "control",
                               "scores",
                               "ignore-unknown",
                               "resume",
                               "overwrite",
                               "dump-scores",
                               "export-items",
                               "per-group",
                               "also-compat-names",
                               "bootstrap",
                               "fail-fast",
                               "shard",
                               "mpi",
                               "breakdowns"});
  return [&context, flags] { return run_audit(context, flags->settings()); };
}

}  // namespace snellen::cli
