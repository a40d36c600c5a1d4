// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/run_output.h"

#include <cstdio>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "apps/cli/progress.h"
#include "apps/cli/stop_signal.h"
#include "snellen/base/python_json.h"
#include "snellen/report/summary.h"
#include "snellen/store/error_json.h"

namespace snellen::cli {
namespace {

constexpr size_t kFailuresPrinted = 5;

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

}  // namespace

Format format_of(const std::string& name) {
  return name == "markdown" ? Format::kMarkdown : name == "csv" ? Format::kCsv : Format::kText;
}

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

std::string summary_json(const run::RunSummary& summary, const std::string& more) {
  std::string json = fmt::format(
      "{{\"folder\": {}, \"verdict\": \"{}\", \"seconds\": {}, \"resumed\": {}, \"tasks\": [",
      json_string(summary.folder.string()),
      name_of(summary.verdict),
      python_float(summary.seconds),
      summary.resumed);
  for (size_t i = 0; i < summary.tasks.size(); ++i) {
    const run::TaskSummary& task = summary.tasks[i];
    json += fmt::format(
        "{}{{\"name\": {}, \"scored\": {}, \"failed\": {}, \"skipped\": {}, \"failures\": [",
        i > 0 ? ", " : "",
        json_string(task.name),
        task.counts.scored,
        task.counts.failed,
        task.counts.skipped);
    for (size_t k = 0; k < task.failures.size(); ++k) {
      json += fmt::format(
          "{}{{\"item\": {}, \"error\": {}}}",
          k > 0 ? ", " : "",
          json_string(task.failures[k].item),
          task.failures[k].error ? store::error_to_json(*task.failures[k].error) : "null");
    }
    json += "], \"notes\": [";
    for (size_t k = 0; k < task.notes.size(); ++k) {
      json += (k > 0 ? ", " : "") + json_string(task.notes[k]);
    }
    json += "]}";
  }
  return fmt::format(
      "{}], \"results\": {}{}}}\n", json, store::results_to_json(summary.results), more);
}

// The claim of a run that has one, when it was asked to hold and does not.
const metrics::Measurement* broken_claim(const run::RunSummary& summary, const ShowOptions& show) {
  if (!show.asserts_claim || summary.verdict == run::Verdict::kInterrupted) return nullptr;
  for (const metrics::Measurement& one : summary.results.metrics) {
    if (one.id == "control/claim_holds" && one.value != 1.0) return &one;
  }
  return nullptr;
}

void print_failures(const run::RunSummary& summary) {
  for (const std::string& note : summary.notes) fmt::print(stderr, "note: {}\n", note);
  for (const run::TaskSummary& task : summary.tasks) {
    for (const std::string& note : task.notes) fmt::print(stderr, "note: {}\n", note);
    uint64_t total = task.counts.failed + task.counts.skipped;
    if (total == 0) continue;
    fmt::print(stderr,
               "{}: {} of {} items failed or were skipped\n",
               task.name,
               total,
               task.counts.total());
    for (size_t i = 0; i < std::min(kFailuresPrinted, task.failures.size()); ++i) {
      const store::Sample& sample = task.failures[i];
      fmt::print(stderr,
                 "  {} {}: {}\n",
                 store::name_of(sample.status),
                 sample.item,
                 sample.error ? sample.error->what() : "");
    }
    if (total > kFailuresPrinted)
      fmt::print(stderr,
                 "  ... and {} more{}\n",
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
  fmt::print(stderr,
             "{} items scored in {:.2f} s{}{}\n",
             scored,
             summary.seconds,
             summary.resumed > 0 ? fmt::format(" ({} were already there)", summary.resumed) : "",
             summary.folder.empty() ? "" : fmt::format(" -> {}", summary.folder.string()));
}

void print_table(const report::Table& table, Format format) {
  switch (format) {
    case Format::kText:
      fmt::print("{}", table.as_text());
      break;
    case Format::kMarkdown:
      fmt::print("{}", table.as_markdown());
      break;
    case Format::kCsv:
      fmt::print("{}", table.as_csv());
      break;
  }
}

int show_summary(const Context& context, const run::RunSummary& summary, const ShowOptions& show) {
  if (context.wants_json) {
    fmt::print("{}", summary_json(summary));
    return broken_claim(summary, show) != nullptr ? 5 : exit_code_of_verdict(summary.verdict);
  }
  print_failures(summary);
  if (summary.verdict == run::Verdict::kInterrupted) {
    fmt::print(stderr,
               "stopped; what was scored is kept in {}\nresume with: {}\n",
               summary.folder.string(),
               context.command);
    return exit_code_of_verdict(summary.verdict);
  }
  if (show.with_table) {
    print_table(report::metrics_table(summary.results, show.with_breakdowns), show.format);
  }
  print_closing_line(summary);
  if (const metrics::Measurement* claim = broken_claim(summary, show)) {
    fmt::print(stderr, "the claim {}\n", claim->reason);
    return 5;
  }
  return exit_code_of_verdict(summary.verdict);
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
          .on_message = {},
          .pictures = nullptr,
          .ranks = ranks};
}

run::RunSummary run_with_progress(Context& context,
                                  const config::Options& options,
                                  bool keeps_folder,
                                  const run::Ranks* ranks) {
  ProgressLine line;
  run::RunRequest request = run_request(context, options, ranks);
  request.on_progress = [&](const run::Progress& progress) { line.draw(progress); };
  request.on_message = [&](std::string_view message) { line.say(message); };
  return keeps_folder ? run::run_tasks(request) : run::run_in_memory(request);
}

namespace {

// Several runs side by side and one line for all of them.
class SharedProgress {
 public:
  explicit SharedProgress(size_t count) : latest_(count) {}

  void take(size_t run, const run::Progress& progress) {
    std::lock_guard lock(mutex_);
    latest_[run] = progress;
    run::Progress sum = progress;
    sum.done = sum.total = sum.failed = sum.resumed = 0;
    for (const run::Progress& one : latest_) {
      sum.done += one.done;
      sum.total += one.total;
      sum.failed += one.failed;
      sum.resumed += one.resumed;
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
  std::vector<run::Progress> latest_;
};

}  // namespace

int run_models_and_show(Context& context,
                        const config::Options& options,
                        const std::vector<std::string>& models,
                        const ShowOptions& show) {
  if (options.is_set("name"))
    throw Error{ErrorCode::kUsage, "one name for several models", "--name", "leave it out"};
  constexpr uint64_t kDecodedBytes = uint64_t{512} << 20;
  inference::SharedPictures pictures(models.size(), kDecodedBytes);
  std::vector<run::RunSummary> summaries(models.size());
  std::vector<std::exception_ptr> failures(models.size());
  {
    SharedProgress progress(models.size());
    std::vector<std::unique_ptr<inference::SharedPictures::Client>> clients;
    for (size_t i = 0; i < models.size(); ++i)
      clients.push_back(std::make_unique<inference::SharedPictures::Client>(pictures));
    std::vector<std::jthread> runs;
    for (size_t i = 0; i < models.size(); ++i) {
      runs.emplace_back([&, i] {
        try {
          config::Options own = options;
          own.set("model", models[i], "--model");
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
      });
    }
  }
  int worst = 0;
  for (size_t i = 0; i < models.size(); ++i) {
    if (failures[i]) continue;
    if (!context.wants_json) fmt::print("{}\n", models[i]);
    worst = std::max(worst, show_summary(context, summaries[i], show));
  }
  if (!context.wants_json)
    fmt::print(stderr, "note: {} pictures were decoded for all models\n", pictures.num_decoded());
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return worst;
}

int run_and_show(Context& context, const config::Options& options, const ShowOptions& show) {
  return show_summary(context, run_with_progress(context, options), show);
}

}  // namespace snellen::cli
