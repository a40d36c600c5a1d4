// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/run_output.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/progress.h"
#include "apps/cli/run/control_output.h"
#include "apps/cli/stop_signal.h"
#include "snellen/base/json_object.h"
#include "snellen/inference/visuals/shared_pictures.h"
#include "snellen/report/summary.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/control/control_file.h"
#include "snellen/store/error_json.h"

namespace snellen::cli {
namespace {

constexpr size_t kFailuresPrinted = 5;
constexpr int kUnmet = 5;  // a claim that does not hold, whatever else failed

const char* name_of(run::Verdict verdict) {
  switch (verdict) {
    case run::Verdict::kComplete:
      return "complete";
    case run::Verdict::kFailures:
      return "failures";
    case run::Verdict::kInterrupted:
      return "interrupted";
  }
  return "failures";
}

// What stands before any number: a model that does not tell its items apart.
std::string warning_of(const run::RunSummary& summary) {
  for (const run::TaskSummary& task : summary.tasks) {
    if (task.only_score)
      return fmt::format(
          "all scores of {} are equal ({}). The model does not tell its texts or pictures apart, "
          "so that these numbers say nothing about it; check its tokenizer and what it was shown.",
          task.name,
          python_float(*task.only_score));
  }
  return report::tie_warning(summary.results);
}

JsonObject summary_json(const run::RunSummary& summary) {
  JsonValue::List tasks;
  for (const run::TaskSummary& task : summary.tasks) {
    JsonValue::List failures;
    for (const store::Sample& sample : task.failures) {
      JsonValue error;
      if (sample.error) error = JsonText{store::error_to_json(*sample.error)};
      failures.push_back(JsonObject{{"item", sample.item}, {"error", error}});
    }
    tasks.push_back(JsonObject{{"name", task.name},
                               {"scored", task.counts.scored},
                               {"failed", task.counts.failed},
                               {"skipped", task.counts.skipped},
                               {"failures", failures},
                               {"notes", task.notes}});
  }
  const std::string ties = warning_of(summary);
  JsonObject json = {{"folder", summary.folder.string()},
                     {"verdict", name_of(summary.verdict)},
                     {"seconds", summary.seconds},
                     {"resumed", summary.resumed},
                     {"tasks", tasks},
                     {"warning", ties.empty() ? JsonValue() : ties},
                     {"results", JsonText{store::results_to_json(summary.results)}}};
  if (summary.control)
    json.add({{"control", JsonText{run::control_json(*summary.control, summary.results.run)}}});
  return json;
}

// What the tasks of the run report, joined: most runs have one task.
tasks::TaskReport joined_report(const Context& context,
                                const run::RunSummary& summary,
                                const config::Options& options) {
  const auto& settings = options.get<run::RunSettings>();
  tasks::TaskReport joined;
  for (const std::string& task : settings.tasks) {
    const tasks::TaskFacts& facts = context.catalogue.task(task).facts();
    if (!facts.report) continue;
    tasks::TaskReport one = facts.report({.options = options,
                                          .is_compat = settings.is_compat,
                                          .name = settings.name,
                                          .confidence = settings.confidence,
                                          .metrics = summary.results.metrics,
                                          .folder = summary.folder});
    joined.heading += one.heading;
    joined.json.add(one.json);
    for (std::string& line : one.reference_lines) joined.reference_lines.push_back(std::move(line));
    for (std::string& line : one.warnings) joined.warnings.push_back(std::move(line));
    for (tasks::TextTable& table : one.tables) joined.tables.push_back(std::move(table));
    if (joined.exit_code != 0) continue;
    joined.exit_code = one.exit_code;
    joined.problem = std::move(one.problem);
  }
  return joined;
}

report::Table table_of(const tasks::TextTable& text) {
  std::vector<report::Table::Heading> columns;
  for (size_t i = 0; i < text.columns.size(); ++i)
    columns.push_back({text.columns[i], text.is_number[i]});
  report::Table table(std::move(columns));
  for (const std::vector<std::string>& row : text.rows) table.add(row);
  return table;
}

void print_failures(const run::RunSummary& summary) {
  for (const std::string& note : summary.notes) print_note("note: {}\n", note);
  std::vector<run::TaskSummary> tasks = summary.tasks;
  tasks.insert(tasks.end(), summary.rungs.begin(), summary.rungs.end());
  for (const run::TaskSummary& task : tasks) {
    for (const std::string& note : task.notes) print_note("note: {}\n", note);
    uint64_t total = task.counts.failed + task.counts.skipped;
    if (total == 0) continue;
    print_note(
        "{}: {} of {} items failed or were skipped\n", task.name, total, task.counts.total());
    for (size_t i = 0; i < std::min(kFailuresPrinted, task.failures.size()); ++i) {
      const store::Sample& sample = task.failures[i];
      print_note("  {} {}: {}\n",
                 store::name_of(sample.status),
                 sample.item,
                 sample.error ? sample.error->what() : "");
    }
    if (total > kFailuresPrinted)
      print_note("  ... and {} more{}\n",
                 total - kFailuresPrinted,
                 summary.folder.empty()
                     ? std::string(" (--output keeps them all)")
                     : fmt::format(", all in {}/samples.db", summary.folder.string()));
  }
}

void print_closing_line(const run::RunSummary& summary) {
  uint64_t scored = 0;
  for (const run::TaskSummary& task : summary.tasks) scored += task.counts.scored;
  std::fflush(stdout);  // the table first, also where both go to one place
  print_note("{} items scored in {:.2f} s{}{}\n",
             scored,
             summary.seconds,
             summary.resumed > 0 ? fmt::format(" ({} were already there)", summary.resumed) : "",
             summary.folder.empty() ? "" : fmt::format(" -> {}", summary.folder.string()));
}

}  // namespace

int exit_code_of_verdict(run::Verdict verdict) {
  switch (verdict) {
    case run::Verdict::kComplete:
      return 0;
    case run::Verdict::kFailures:
      return 4;
    case run::Verdict::kInterrupted:
      return 130;
  }
  return 1;
}

void print_table(const report::Table& table, Format format, bool is_wide) {
  switch (format) {
    case Format::kText:
      fmt::print("{}", table.as_text(is_wide ? 0 : kTextWidth));
      break;
    case Format::kMarkdown:
      fmt::print("{}", table.as_markdown());
      break;
    case Format::kCsv:
      fmt::print("{}", table.as_csv());
      break;
  }
}

namespace {

void print_metrics(const store::Results& results, const ShowOptions& show) {
  if (show.format == Format::kCsv) {
    print_table(report::metrics_numbers(results, show.with_breakdowns), show.format);
  } else if (show.format == Format::kText && !show.is_wide) {
    fmt::print("{}", report::metrics_text(results, show.with_breakdowns, kTextWidth));
  } else {
    print_table(report::metrics_table(results, show.with_breakdowns), show.format, show.is_wide);
  }
}

}  // namespace

int show_summary(const Context& context,
                 const run::RunSummary& summary,
                 const ShowOptions& show,
                 const config::Options* options) {
  const bool is_stopped = summary.verdict == run::Verdict::kInterrupted;
  tasks::TaskReport report;
  if (options != nullptr && !is_stopped) report = joined_report(context, summary, *options);
  const int code = exit_code_of_verdict(summary.verdict);
  if (context.wants_json) {
    print_json(summary_json(summary).add(report.json));
    return code == 0 || report.exit_code == kUnmet ? std::max(code, report.exit_code) : code;
  }
  if (const std::string ties = warning_of(summary); !ties.empty())
    print_note("warning: {}\n", ties);
  for (const std::string& warning : report.warnings) print_note("warning: {}\n", warning);
  print_failures(summary);
  if (is_stopped) {
    print_note("stopped; what was scored is kept in {}\nresume with: {}\n",
               summary.folder.string(),
               context.command);
    return code;
  }
  for (const std::string& line : report.reference_lines) fmt::print("{}\n", line);
  const bool is_csv = show.format == Format::kCsv;
  if (!report.heading.empty() && !is_csv) fmt::print("{}\n", report.heading);
  if (report.reference_lines.empty()) print_metrics(summary.results, show);
  // A CSV holds one table.
  for (const tasks::TextTable& table : report.tables) {
    if (is_csv) break;
    fmt::print("\n{}\n\n", table.title);
    print_table(table_of(table), show.format, show.is_wide);
  }
  if (summary.control) print_control(*summary.control, show);
  print_closing_line(summary);
  if (!report.problem.empty()) print_note("snellen: {}\n", report.problem);
  return code == 0 || report.exit_code == kUnmet ? std::max(code, report.exit_code) : code;
}

run::RunRequest run_request(const Context& context,
                            const config::Options& options,
                            const run::Ranks* ranks) {
  stop_on_signals();
  return {.catalogue = context.catalogue,
          .options = options,
          .command = context.command,
          .on_progress = {},
          .is_stopped = is_stop_requested,
          .on_sample = {},
          .on_message = {},
          .pictures = nullptr,
          .ranks = ranks};
}

void StopMessage::print_once(const ProgressLine& line) {
  if (is_printed_ || !is_stop_requested()) return;
  is_printed_ = true;
  line.say("stopping: finishing this batch (Ctrl-C again ends at once)");
}

ObservedRun::ObservedRun(const Context& context,
                         const config::Options& options,
                         const run::Ranks* ranks)
    : request_(run_request(context, options, ranks)) {
  request_.on_progress = [this](const run::Progress& progress) {
    stop_message_.print_once(line_);
    line_.draw(progress);
  };
  request_.on_message = [this](std::string_view message) { line_.say(message); };
}

namespace {

// Several runs side by side and one line for all of them.
class SharedProgress {
 public:
  explicit SharedProgress(size_t count) : latest_(count) {}

  void take(size_t run, const run::Progress& progress) {
    std::lock_guard lock(mutex_);
    // Of a run whose items are done the others matter more.
    if (progress.unit != run::Progress::kItems) return;
    latest_[run] = progress;
    run::Progress sum = progress;
    sum.done = sum.total = sum.failed = sum.resumed = 0;
    for (const run::Progress& one : latest_) {
      sum.done += one.done;
      sum.total += one.total;
      sum.failed += one.failed;
      sum.resumed += one.resumed;
    }
    stop_message_.print_once(line_);
    // Of several models the one that is furthest back.
    for (const run::Progress& one : latest_) {
      if (!one.ahead.counts.empty() && one.ahead.share < sum.ahead.share) sum.ahead = one.ahead;
    }
    line_.draw(sum);
  }
  void say(std::string_view message) {
    std::lock_guard lock(mutex_);
    line_.say(message);
  }

 private:
  std::mutex mutex_;  // guards the rest
  ProgressLine line_;
  StopMessage stop_message_;
  std::vector<run::Progress> latest_;
};

// What each model is called: its own name, with its folder's before it where another has the same.
std::vector<std::string> distinct_names(const Context& context,
                                        const config::Options& options,
                                        const std::vector<std::string>& models) {
  std::vector<std::string> names;
  for (const std::string& model : models) {
    config::Options own = options;
    own.set("model", model, "--model");
    names.push_back(run::settings_of(own, context.catalogue).name);
  }
  const std::vector<std::string> plain = names;
  for (size_t i = 0; i < models.size(); ++i) {
    const std::filesystem::path path = std::filesystem::absolute(models[i]).lexically_normal();
    const std::filesystem::path above = path.parent_path().filename();
    if (std::count(plain.begin(), plain.end(), plain[i]) > 1)
      names[i] = fmt::format("{}-{}", above.string(), plain[i]);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::count(names.begin(), names.end(), names[i]) == 1) continue;
    throw Error{ErrorCode::kUsage,
                fmt::format("two models are called '{}'", plain[i]),
                "--model",
                "run them one after the other, each with a --name of its own"};
  }
  return names;
}

}  // namespace

int run_models_and_show(Context& context,
                        const config::Options& options,
                        const std::vector<std::string>& models,
                        const ShowOptions& show) {
  if (options.is_set("name"))
    throw Error{
        ErrorCode::kUsage, "several models cannot share one name", "--name", "leave it out"};
  const std::vector<std::string> names = distinct_names(context, options, models);
  constexpr uint64_t kDecodedBytes = uint64_t{512} << 20;
  inference::SharedPictures pictures(
      models.size(),
      kDecodedBytes,
      inference::SharedPictures::decoder(options.get<run::CheckpointSettings>().transparency ==
                                         "white"));
  std::vector<run::RunSummary> summaries(models.size());
  std::vector<std::exception_ptr> failures(models.size());
  {
    SharedProgress progress(models.size());
    std::vector<std::unique_ptr<inference::PictureClient>> clients;
    for (size_t i = 0; i < models.size(); ++i)
      clients.push_back(std::make_unique<inference::PictureClient>(pictures));
    std::vector<std::jthread> runs;
    for (size_t i = 0; i < models.size(); ++i) {
      auto run_one = [&, i] {
        try {
          config::Options own = options;
          own.set("model", models[i], "--model");
          own.set("name", names[i], "--model");
          // Only folders look at pictures here.
          if (!run::settings_of(own, context.catalogue).is_folder) clients[i].reset();
          run::RunRequest request = run_request(context, own, /*ranks=*/nullptr);
          request.on_progress = [&](const run::Progress& one) { progress.take(i, one); };
          request.on_message = [&](std::string_view message) { progress.say(message); };
          request.pictures = clients[i].get();
          summaries[i] = run::run_tasks(request);
        } catch (...) {
          failures[i] = std::current_exception();
        }
        clients[i].reset();
      };
      try {
        runs.emplace_back(run_one);
      } catch (const std::system_error&) {
        // No thread for it: the others must not wait for what it wants.
        failures[i] = std::current_exception();
        clients[i].reset();
      }
    }
  }
  int worst = 0;
  for (size_t i = 0; i < models.size(); ++i) {
    if (failures[i]) continue;
    if (!context.wants_json) fmt::print("{}\n", models[i]);
    worst = std::max(worst, show_summary(context, summaries[i], show, &options));
  }
  if (!context.wants_json)
    print_note("note: {} images were decoded once for all models\n", pictures.num_decoded());
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return worst;
}

int run_and_show(Context& context, const config::Options& options, const ShowOptions& show) {
  return show_summary(
      context, run::run_tasks(ObservedRun(context, options).request()), show, &options);
}

}  // namespace snellen::cli
