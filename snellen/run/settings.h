// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/config/options.h"

namespace snellen::run {

struct Catalogue;

// What --tasks names: NAME, NAME:ARGUMENT, or some of its parts as NAME/PART,NAME/PART.
struct NamedTask {
  std::string name;                // with its argument
  std::vector<std::string> parts;  // none: all
};
// Throws kUsage for what is named twice.
std::vector<NamedTask> named_tasks(const std::vector<std::string>& words);
// What follows the task's name and a colon; empty without one.
std::string task_argument(const std::string& spec);

// Which share of the items this process takes.
struct Shard {
  uint64_t index = 0;
  uint64_t count = 1;
};
// "1/3"; throws kUsage.
Shard parse_shard(const std::string& text);

// The settings of a run. The first members are options; settings_of() checks them once and fills in
// what follows from them.
struct RunSettings {
  std::string model;  // a checkpoint's folder or name, or an adapter's name with its argument
  std::string scores;
  std::string name;  // how the model is called in files and folders
  std::vector<std::string> tasks;
  std::filesystem::path output = "runs";
  uint64_t limit = 0;  // items per part; 0: all
  uint64_t batch_size = 256;
  std::string share = "0/1";
  std::string mpi = "auto";
  bool is_compat = false;
  bool fails_fast = false;
  bool ignores_unknown = false;  // lines of a score file for items that the task does not have
  bool resumes = true;
  bool overwrites = false;
  bool wants_compat_names = false;
  bool wants_per_group = false;
  double confidence = 0.95;
  uint64_t bootstrap = 0;  // replicates asked for everywhere; 0: only where items share a picture
  std::vector<std::string> control;  // corruptions under which every task is scored too
  std::string dump_scores;
  std::string export_items;
  std::optional<bool> is_dry_run;

  bool is_folder = false;           // the model is a checkpoint, by its folder or its name
  bool prefers_raw_dot = false;     // as the reference scripts of all its tasks do
  std::vector<std::string> titles;  // of the tasks, for folders; open_tasks() fills in names
  unsigned num_threads = 1;
  uint64_t seed = 0;
  Shard shard;
  std::string ties;  // wrong, half or right; empty: each task's own rule

  // The run folder: <output>/<name>-<titles>[-shardIofN].
  std::filesystem::path folder() const;
};

// How a checkpoint folder is opened.
struct CheckpointSettings {
  std::string head;  // which of the model's scores; empty: its first
  std::string device = "cpu";
  std::string dtype = "fp32";
  std::string layout = "auto";
  std::string quick_gelu = "auto";
  std::string transparency = "drop";
  std::string itm_score = "match";
  bool prepends_bos = false;
  std::optional<bool> masks_clips;
  std::string cache;
  bool has_no_cache = false;
  double cache_size = 10;  // GB
};

// The options every run has, and those of all models and tasks: owned by "model NAME" and "task
// NAME".
config::Options run_options(const Catalogue& catalogue);
// Whether a run of these settings uses what the owner declares.
bool is_used_by_run(const std::string& owner, const config::Options& options);

RunSettings settings_of(const config::Options& options, const Catalogue& catalogue);

}  // namespace snellen::run
