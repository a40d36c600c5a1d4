// SPDX-License-Identifier: Apache-2.0
// A task turns annotations into items and scored items into metrics and the files of its paper. It
// knows no model.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/base/json_object.h"
#include "snellen/config/options.h"
#include "snellen/metrics/group_means.h"
#include "snellen/metrics/measurement.h"
#include "snellen/metrics/metric.h"
#include "snellen/tasks/item.h"

namespace snellen::tasks {

// What a task takes over from the run it is part of.
struct TaskRequest {
  const config::Options& options;  // the run's settings, among them those the task declared
  std::string
      model;  // the model's name: --compat reproduces per-model slips of the reference scripts
  bool is_compat = false;
  // The model takes questions that want an answer (questions::Wants::kAnswer).
  bool can_answer = false;
  std::vector<std::string> parts = {};  // those asked for by name, `vilma/relations`; none: all
  std::string argument = {};  // what follows the task's name and a colon: `file:items.jsonl`
  // Metrics of the program, beside the built-in ones.
  std::span<const std::shared_ptr<const metrics::Metric>> metrics = {};
};

// A stretch of items with metrics of its own: a split, a filler, a subtask. Positions run over the
// parts in order.
struct Part {
  std::string name;  // empty when the task has a single part
  uint64_t num_items = 0;
};

// One group of a score file: the scores in the order of the item's questions, or what is wrong
// with them.
struct ScoreLine {
  std::string item;
  Result<std::vector<double>> scores;
};

// Gives the scored items of a part, in order of position, one at a time.
class OutcomeReader {
 public:
  virtual ~OutcomeReader() = default;
  virtual void for_each_scored(std::string_view part,
                               const std::function<void(const StoredItem&)>& visit) = 0;
};

// Where and how a task writes the files of its paper.
struct SeedRequest {
  std::filesystem::path folder;  // the run folder
  std::string model;             // the model flag, as given
  std::string tag;               // the name used in folders
  bool is_compat = false;
  bool wants_compat_names = false;  // also a copy under the reference's file names
  unsigned num_threads = 1;
};

struct SeedReport {
  std::filesystem::path results_folder;      // run_meta.json goes here
  std::filesystem::path log_folder;          // log.txt goes here
  std::vector<std::filesystem::path> files;  // written, relative to the run folder
  std::vector<std::string> log_lines;        // one per aggregated number
  NamedValues extra = {};                    // further members of run_meta.json
};

using PooledOptions = metrics::MeanOptions;

// Const methods are safe from many threads.
class Task {
 public:
  virtual ~Task() = default;

  // How it calls itself in metric ids, where its files decide that; else its entry's name counts.
  virtual std::string name() const { return {}; }
  virtual std::vector<Part> parts() const = 0;
  virtual std::vector<Column> columns() const = 0;
  // The files its items come from, for the stamp.
  virtual std::vector<std::filesystem::path> inputs() const = 0;

  // A hash of what its items are made of beyond those files, for the stamp; mostly nothing.
  virtual std::string content() const { return {}; }

  // What a user should know about the inputs beyond failed items, one sentence each.
  virtual std::vector<std::string> notes() const { return {}; }

  // The item at a position over all parts. An Error is a bad record: it is stored as failed and the
  // run goes on.
  virtual Result<Item> item(uint64_t position) const = 0;
  // What the answers to an item of this task come to.
  virtual Result<Outcome> judge(const Item& item, const questions::Scores& scores) const = 0;

  // One line of this task's score file (docs/spec/probe.md 2.8). An Error when not even its item
  // can be known. A task without such files leaves it as it is.
  virtual Result<ScoreLine> read_score_line(std::string_view line) const {
    (void)line;
    throw Error{
        ErrorCode::kUsage, "this task has no score files", "--scores", "run it with a model"};
  }

  // The line that read_score_line() reads as these scores of this item, without a line break; an
  // Error for scores that such a file cannot hold.
  virtual Result<std::string> score_line(const Item& item,
                                         const std::vector<double>& scores) const {
    (void)item;
    (void)scores;
    throw Error{ErrorCode::kUsage, "this task has no score files", "--dump-scores"};
  }
  // Whether an item that is not here was left out by the settings (--split, an image folder): score
  // files may hold it.
  virtual bool is_left_out(std::string_view item) const {
    (void)item;
    return false;
  }
  // Whether a score file holds one part alone.
  virtual bool has_score_file_per_part() const { return false; }

  // Metrics that are no mean of a column: pooled AUROC, corpus scores, verdicts. Made from stored
  // outcomes alone.
  virtual std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                                   const PooledOptions& options) const {
    (void)outcomes;
    (void)options;
    return {};
  }

  // The files of its paper; a task without any leaves it as it is.
  virtual std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                                   OutcomeReader& outcomes) const {
    (void)request;
    (void)outcomes;
    return {};
  }
};

// What a command prints that needs no run.
struct DirectOutput {
  std::string text;  // for stdout
  std::string note;  // for stderr
};

// A table of texts; columns of numbers are aligned to the right.
struct TextTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<bool> is_number;
  std::vector<std::vector<std::string>> rows;
};

// What is shown of a finished task beside the table of its metrics.
struct TaskReport {
  std::string heading;  // above the table
  std::vector<std::string>
      reference_lines;            // what the reference script prints, in the table's place
  std::vector<TextTable> tables;  // below the table
  std::vector<std::string> warnings;
  JsonObject json;      // further members of what --json prints
  std::string problem;  // why the exit code is not 0
  int exit_code = 0;    // where the run itself ended well
};

// A command that may not need a run.
struct DirectRequest {
  const config::Options& options;
  bool is_compat = false;
  bool has_folder = false;  // --output names one
  bool wants_json = false;
};

struct ReportRequest {
  const config::Options& options;
  bool is_compat = false;
  std::string name;  // of the model, where --name says it
  double confidence = 0.95;
  std::span<const metrics::Measurement> metrics;
  std::filesystem::path folder;  // of the run; empty where none was written
};

struct TaskFacts {
  std::string name;  // as --tasks takes it
  std::string summary;
  std::string paper;
  std::string data;                          // what the user brings and under which licence
  std::vector<config::Block> settings = {};  // its own structs of settings, with their options
  bool takes_part = false;                   // --tasks may name one of its parts: NAME/PART
  bool reads_results = false;  // `score` gives it no score file: it reads results by its own flags
  std::vector<std::string> parts = {};  // every part it can have; empty when it has a single one
  std::vector<Column> columns = {};     // what it measures on each
  // The metric (metrics::metric_named) that judges its items from their scores and what is right
  // alone: such a task can be written as a file of items. Empty where it has rules of its own.
  std::string metric = {};
  bool takes_argument = false;  // `name:ARGUMENT`
  std::string alias = {};       // another name that `score` takes
  // For settings that ask for something else than a run, as joining results files: what is printed.
  std::function<std::optional<DirectOutput>(const DirectRequest&)> without_run = {};
  // Of a run that was not stopped.
  std::function<TaskReport(const ReportRequest&)> report = {};
  bool needs_no_folder = false;  // `score` writes a run folder only where --output names one
  // The data set its pictures come from, as `--images SET=DIR` calls it; empty: none of its own.
  std::string images = {};
  // Its reference scripts ask FLAVA for plain dot products (docs/spec/probe.md 8.3).
  bool compat_asks_raw_dot = false;
};

// A catalogue entry: the facts, and how to open the task.
class TaskEntry {
 public:
  virtual ~TaskEntry() = default;
  virtual const TaskFacts& facts() const = 0;
  // Throws kNotFound or kInvalidInput when its files cannot be used at all, kUsage for settings
  // that do not fit.
  virtual std::unique_ptr<Task> open(const TaskRequest& request) const = 0;
};

// Every task of this build, in the order of CMakeLists.txt.
std::vector<std::unique_ptr<TaskEntry>> built_in_tasks();

}  // namespace snellen::tasks
