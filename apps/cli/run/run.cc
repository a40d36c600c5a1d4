// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/run/places.h"
#include "apps/cli/run/ranks.h"
#include "apps/cli/run/show_settings.h"
#include "apps/cli/setting_flags.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/export_requests.h"

namespace snellen::cli {
namespace {

// A settings file may come from somebody else: a program it names is not started unasked.
void check_program(const config::Options& settings, const std::vector<std::string>& models) {
  const std::string& model = settings.get<run::RunSettings>().model;
  if (!model.starts_with("exec:") || !models.empty()) return;
  throw Error{ErrorCode::kUsage,
              fmt::format("the file names a program to start: {}", model),
              "--config",
              "if you trust it, name it on the command line with --model"};
}

// The plan of each model in turn.
int show_dry_runs(const Context& context,
                  const config::Options& options,
                  const std::vector<std::string>& models,
                  Format format) {
  if (models.size() < 2)
    return show_dry_run(context, run::plan_run(context.catalogue, options), format);
  int worst = 0;
  for (const std::string& model : models) {
    config::Options own = options;
    own.set("model", model, "--model");
    if (!context.wants_json) fmt::print("{}\n", model);
    worst = std::max(worst, show_dry_run(context, run::plan_run(context.catalogue, own), format));
  }
  return worst;
}

int export_and_show(const Context& context, const config::Options& settings) {
  const run::ExportedRequests exported = run::export_requests(run_request(context, settings));
  const auto& own = settings.get<run::OfflineSettings>();
  for (const store::Sample& sample : exported.failures)
    print_note("  {}: {}\n", sample.item, sample.error ? sample.error->what() : "");
  if (exported.num_failed > 0)
    print_note("{} of {} items cannot be asked\n", exported.num_failed, exported.num_items);
  if (context.wants_json) {
    print_json({{"requests", exported.num_requests},
                {"items", exported.num_items},
                {"failed", exported.num_failed},
                {"file", own.export_requests}});
  } else {
    fmt::print("{} requests of {} items in {}\n",
               exported.num_requests,
               exported.num_items,
               own.export_requests);
  }
  return exit_code_of_verdict(exported.num_failed > 0 ? run::Verdict::kFailures
                                                      : run::Verdict::kComplete);
}

}  // namespace

std::function<int()> add_run(Command app, Context& context) {
  Command verb = app.add_subcommand("run", "score tasks with a model and write a run folder");
  verb.footer(
      "`snellen run --tasks NAME --help` shows the settings of a task.\n"
      "`snellen run --model exec --help` shows those of an adapter.\n"
      "Several --model run side by side, each with a run folder of its own.\n"
      "Examples:\n"
      "  snellen run --model DIR --tasks probe-c --data annotations --output runs\n"
      "  snellen run --model DIR --tasks file:items.jsonl\n"
      "  snellen run --config runs/fake-probe-c/run.json --seed 1 --name again");
  auto flags = std::make_shared<SettingFlags>(verb,
                                              run_and_show_options(context),
                                              run::is_used_by_run,
                                              std::vector<std::string>{"json", "task"});
  return [&context, flags] {
    config::Options settings = flags->settings();
    const auto& shown = settings.get<ShowSettings>();
    context.wants_json = context.wants_json || shown.wants_json;
    const ShowOptions show = {shown.format, shown.with_breakdowns, shown.is_wide};
    const std::vector<std::string>& models = flags->words("model");
    check_program(settings, models);
    set_places(context, settings);
    if (settings.get<run::RunSettings>().is_dry_run.value_or(false))
      return show_dry_runs(context, settings, models, show.format);
    if (!settings.get<run::OfflineSettings>().export_requests.empty())
      return export_and_show(context, settings);
    RankSession session(settings);
    if (models.size() > 1) {
      session.expect_alone("several models", "--model", "name one model per run");
      return run_models_and_show(context, settings, models, show);
    }
    if (session.is_helper()) {
      run::help_with_run(run_request(context, settings, session.ranks()));
      session.set_end(run::Verdict::kComplete);
      return 0;
    }
    const run::RunSummary summary =
        run::run_tasks(ObservedRun(context, settings, session.ranks()).request());
    session.set_end(summary.verdict);
    return show_summary(context, summary, show, &settings);
  };
}

config::Options run_and_show_options(const Context& context) {
  using config::option;
  using S = ShowSettings;
  constexpr const char* kGroup = "How results are shown";
  config::Options options = run::run_options(context.catalogue);
  options.add(config::Block(
      S{},
      {option(&S::task, "task", "the task that the scores belong to").unstamped().positional(),
       option(&S::format,
              "format",
              "format of the table",
              {{"text", Format::kText}, {"markdown", Format::kMarkdown}, {"csv", Format::kCsv}})
           .unstamped()
           .group(kGroup),
       option(&S::with_breakdowns, "breakdowns", "also print the metrics per category and tag")
           .unstamped()
           .group(kGroup),
       option(&S::is_wide, "wide", "print all columns of tables").unstamped().group(kGroup),
       option(&S::wants_json, "json", "print JSON instead of tables").unstamped()}));
  return options;
}

}  // namespace snellen::cli
