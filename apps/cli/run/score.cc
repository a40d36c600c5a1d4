// SPDX-License-Identifier: Apache-2.0
// Metrics from scores made elsewhere: `score probe-c --scores F` equals `run --model file:F --tasks
// probe-c`.
#include <optional>

#include <fmt/format.h>

#include "apps/cli/build/build_output.h"
#include "apps/cli/print.h"
#include "apps/cli/run/places.h"
#include "apps/cli/run/show_settings.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/stdin_file.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/export_requests.h"
#include "snellen/run/text_vectors.h"

namespace snellen::cli {
namespace {

// The task that is named, by its own name or by its alias, with its part or argument.
std::string task_named(const run::Catalogue& catalogue, const std::string& word) {
  for (const auto& entry : catalogue.tasks) {
    if (!entry->facts().alias.empty() && entry->facts().alias == word) return entry->facts().name;
  }
  return word;
}

// A file of the task that is named - is read from stdin.
void read_stdin(const std::string& owner,
                config::Options& options,
                std::optional<StdinFile>& standard_input) {
  const config::Options given = options;
  for (const config::Block& block : given.blocks()) {
    if (block.owner() != owner) continue;
    for (const config::Option& option : block.options()) {
      const std::string& name = option.facts().name;
      if (given.text(name) != "-") continue;
      if (standard_input)
        throw Error{
            ErrorCode::kUsage, "only one file can be read from stdin", "--" + name, "give a path"};
      standard_input.emplace();
      options.set(name, standard_input->path().string(), "stdin");
    }
  }
}

int run_score(Context& context, config::Options options) {
  const ShowSettings shown = options.get<ShowSettings>();
  if (shown.task.empty())
    throw Error{ErrorCode::kUsage,
                "no task named",
                "score",
                "for example snellen score probe-c; `snellen list tasks` shows all"};
  const std::string task = task_named(context.catalogue, shown.task);
  options.set("tasks", task, "score");
  const tasks::TaskFacts& facts = context.catalogue.task(task).facts();
  if (!options.is_set("adapter") && !options.is_set("replies"))
    options.set("adapter", facts.reads_results ? "given" : "file", "score");
  std::optional<StdinFile> standard_input;
  read_stdin("task " + facts.name, options, standard_input);
  set_places(context, options);
  BuildProgress progress;
  const run::TextVectors vectors(
      context.catalogue, options, [&](std::string_view step, uint64_t done, uint64_t total) {
        progress.show(step, done, total);
      });
  const bool has_folder = options.is_set("output");
  if (facts.without_run) {
    std::optional<tasks::DirectOutput> output =
        facts.without_run({.options = options,
                           .is_compat = options.get<run::RunSettings>().is_compat,
                           .has_folder = has_folder,
                           .wants_json = context.wants_json});
    if (output) {
      print_note("{}", output->note);
      fmt::print("{}", output->text);
      return 0;
    }
  }
  auto score = has_folder || !facts.needs_no_folder ? run::run_tasks : run::run_in_memory;
  const run::RunSummary summary = score(ObservedRun(context, options).request());
  return show_summary(
      context, summary, {shown.format, shown.with_breakdowns, shown.is_wide}, &options);
}

}  // namespace

std::function<int()> add_score(Command app, Context& context) {
  Command verb = app.add_subcommand(
      "score", "compute metrics from scores or answers that were made elsewhere");
  verb.footer(
      "`snellen score TASK --help` shows the settings of a task.\n"
      "Examples:\n"
      "  snellen score probe-c --scores scores.jsonl --data annotations --output runs\n"
      "  snellen score vilma -i prof.json main.json -a relations.json -m probability\n"
      "  snellen score vilma --suite suite.json --data annotations --output runs\n"
      "  snellen score bias-close --answers answers.jsonl --output runs\n"
      "  snellen score file:items.jsonl --scores scores.jsonl --output runs\n"
      "  snellen score vilma --replies replies.jsonl --data annotations --output runs");
  auto flags = std::make_shared<SettingFlags>(
      verb,
      run_and_show_options(context),
      [&context](const std::string& owner, const config::Options& settings) {
        const std::string task = task_named(context.catalogue, settings.get<ShowSettings>().task);
        const bool is_replied = !settings.get<run::OfflineSettings>().replies.empty();
        return owner == "task " + task.substr(0, task.find_first_of(":/")) ||
               (is_replied && owner == "model replies");
      },
      std::vector<std::string>{"tasks", "dry-run", "json"});
  return [&context, flags] { return run_score(context, flags->settings()); };
}

}  // namespace snellen::cli
