// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/settings.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/cores.h"
#include "snellen/base/nearest.h"
#include "snellen/config/groups.h"
#include "snellen/metrics/choice/ties.h"
#include "snellen/models/checkpoint/hub_cache.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/control/rung.h"
#include "snellen/run/export_requests.h"
#include "snellen/run/folder_name.h"
#include "snellen/run/keeping.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::run {
namespace {

constexpr double kMostItems = 1099511627776;  // 2^40

bool names_adapter(const std::string& model, const Catalogue& catalogue) {
  const std::string name = model.substr(0, model.find(':'));
  return std::any_of(catalogue.models.begin(), catalogue.models.end(), [&](const auto& entry) {
    return entry->facts().name == name;
  });
}

// What a checkpoint is called in files: a name of the reference scripts as it is, of a published
// name its last part, of a path the folder's name.
std::string checkpoint_title(const std::string& word) {
  std::error_code ignored;
  if (!std::filesystem::exists(word, ignored)) {
    if (models::reference_checkpoint(word)) return word;
    if (const auto name = models::hub_name_of(word))
      return name->repository.substr(name->repository.find('/') + 1);
  }
  return std::filesystem::absolute(word / std::filesystem::path("."))
      .lexically_normal()
      .parent_path()
      .filename()
      .string();
}

std::string adapter_title(const std::string& spec, const Catalogue& catalogue) {
  const models::ModelFacts& facts = catalogue.model(spec).facts();
  const size_t colon = spec.find(':');
  const bool has_argument = colon != std::string::npos && colon + 1 < spec.size();
  return facts.is_named_by_argument && has_argument ? spec.substr(colon + 1) : facts.name;
}

}  // namespace

std::vector<NamedTask> named_tasks(const std::vector<std::string>& words) {
  std::vector<NamedTask> tasks;
  for (const std::string& word : words) {
    // An argument may be a path.
    const size_t slash = word.find(':') == std::string::npos ? word.find('/') : std::string::npos;
    NamedTask named{word.substr(0, slash), {}};
    if (slash != std::string::npos) named.parts.push_back(word.substr(slash + 1));
    auto same = std::find_if(
        tasks.begin(), tasks.end(), [&](const NamedTask& one) { return one.name == named.name; });
    if (same == tasks.end()) {
      tasks.push_back(std::move(named));
      continue;
    }
    const bool is_twice = named.parts.empty() || same->parts.empty() ||
                          std::count(same->parts.begin(), same->parts.end(), named.parts[0]) > 0;
    if (is_twice)
      throw Error{ErrorCode::kUsage, fmt::format("'{}' is named twice", word), "--tasks"};
    same->parts.push_back(named.parts[0]);
  }
  return tasks;
}

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  auto [slash, code] = std::from_chars(text.data(), end, shard.index);
  bool is_good = code == std::errc() && slash != end && *slash == '/';
  if (is_good) {
    auto [stop, count_code] = std::from_chars(slash + 1, end, shard.count);
    is_good = count_code == std::errc() && stop == end && shard.index < shard.count;
  }
  if (!is_good)
    throw Error{ErrorCode::kUsage,
                fmt::format("'{}' is no share i/n with i < n", text.substr(0, 40)),
                "--shard",
                "for example --shard 0/3"};
  return shard;
}

std::string task_argument(const std::string& spec) {
  size_t colon = spec.find(':');
  return colon == std::string::npos ? "" : spec.substr(colon + 1);
}

std::filesystem::path RunSettings::folder() const {
  std::string run = folder_name(fmt::format("{}-{}", name, fmt::join(titles, "+")));
  if (shard.count > 1) run += fmt::format("-shard{}of{}", shard.index, shard.count);
  return output / run;
}

namespace {

std::vector<config::Option> own_options() {
  using config::option;
  using S = RunSettings;
  return config::joined(
      {config::grouped(
           "What to run",
           {option(&S::model,
                   "model",
                   "checkpoint folder, published name as ORG/NAME, openai:NAME behind a server, "
                   "exec:\"COMMAND\" for a program of yours, or file:SCORES"),
            option(&S::tasks,
                   "tasks",
                   "from `snellen list tasks`, separated by commas; your own as file:items.jsonl"),
            option(&S::name, "name", "name of the model in files and folders"),
            option(
                &S::control,
                "control",
                "score every task again under controls: none, gray, pure, gauss:100, reverse, ... "
                "(`snellen list corruptions`)")
                .identity(false)
                .value("A,B"),
            option(&S::limit, "limit", "score the first N items per part; 0: all")
                .range(0, kMostItems),
            option(&S::is_dry_run, "dry-run", "print the plan and the missing files; score nothing")
                .identity(false),
            option(&S::scores, "scores", "score file for --adapter file: one JSON object per line")
                .identity(false)
                .value("FILE"),
            option(&S::ignores_unknown,
                   "ignore-unknown",
                   "accept scores for items that are not annotated")
                .identity(false)}),
       config::grouped(
           "Where results go",
           {option(&S::output, "output", "folder for run folders")
                .alias("save_dir")
                .identity(false)
                .value("DIR"),
            option(&S::resumes, "resume", "continue an unfinished run").identity(false),
            option(&S::overwrites, "overwrite", "delete what runs wrote in the run folder")
                .identity(false),
            option(&S::dump_scores,
                   "dump-scores",
                   "also write the scores as `snellen score` reads them: a file, or a folder for "
                   "several tasks")
                .rare()
                .identity(false)
                .value("PATH"),
            option(&S::export_items,
                   "export-items",
                   "also write the items as `--tasks file:F` reads them: a file, or a folder for "
                   "several tasks")
                .rare()
                .identity(false)
                .value("PATH"),
            option(&S::wants_per_group, "per-group", "also write JSON lines with group ids").rare(),
            option(&S::wants_compat_names,
                   "also-compat-names",
                   "also write copies under the reference's file names")
                .rare()}),
       config::grouped(
           "How metrics are computed",
           {option(&S::confidence, "confidence", "confidence level of the intervals"),
            option(&S::bootstrap, "bootstrap", "use N bootstrap resamples for every interval")
                .range(0, 10'000'000),
            option(
                &S::is_compat, "compat", "reproduce the reference scripts, including their bugs")}),
       config::grouped(
           "How the work is done",
           {option(&S::fails_fast, "fail-fast", "stop at the first failed item").identity(false),
            option(&S::batch_size, "batch-size", "items per batch; does not change results")
                .range(1, 1 << 20)
                .identity(false),
            option(&S::share, "shard", "score share I of N, see `snellen merge`")
                .identity(false)
                .value("I/N"),
            option(&S::mpi, "mpi", "divide the run under MPI")
                .choices({"auto", "on", "off"})
                .identity(false)})});
}

std::vector<config::Option> checkpoint_options() {
  using config::option;
  using S = CheckpointSettings;
  return config::grouped(
      "Checkpoint folders",
      {option(&S::head,
              "score",
              "head: itc, itm, ...; mean-pooling: clips as CLIP4Clip; served models: yes or letter "
              "(default: its first)"),
       option(&S::device, "device", "cpu, cuda or cuda:N"),
       option(&S::dtype, "dtype", "number type").choices({"auto", "fp32", "bf16", "fp16"}),
       option(&S::layout, "layout", "which files to read where a folder has both")
           .rare()
           .choices({"auto", "hf", "open_clip"}),
       option(&S::quick_gelu, "quick-gelu", "QuickGELU in open_clip folders; auto: as their config")
           .rare()
           .choices({"auto", "on", "off"}),
       option(&S::transparency,
              "transparency",
              "transparent pictures: drop alpha as older processors do, or lay them on white as "
              "today's do")
           .rare()
           .choices({"drop", "white"})
           .omit_default(),
       option(&S::itm_score,
              "itm-score",
              "what the itm head's two logits give: the second, its lead, or its softmax share")
           .rare()
           .choices({"match", "margin", "prob"})
           .omit_default(),
       option(&S::prepends_bos, "bos", "begin every text of a language model with its start token")
           .rare()
           .omit_default(),
       option(&S::masks_clips, "mask-video", "show zeros instead of every video clip")
           .rare()
           .value("[true|false]"),
       option(&S::cache,
              "cache",
              "folder that keeps embeddings and scores between runs (default: $SNELLEN_CACHE, or "
              "the user's cache folder)")
           .identity(false)
           .value("DIR"),
       option(&S::has_no_cache, "no-cache", "do not read or write the embedding cache")
           .identity(false),
       option(&S::cache_size, "cache-size", "largest size of the cache in GB")
           .rare()
           .above(0)
           .identity(false)});
}

}  // namespace

config::Options run_options(const Catalogue& catalogue) {
  std::vector<config::Block> blocks;
  blocks.emplace_back(RunSettings{}, own_options());
  blocks.emplace_back(OfflineSettings{}, offline_options());
  blocks.emplace_back(tasks::SharedSettings{}, tasks::shared_options());
  blocks.emplace_back(CheckpointSettings{}, checkpoint_options());
  blocks.emplace_back(KeepingSettings{}, keeping_options());
  auto add = [&](const std::string& owner, const auto& facts) {
    for (config::Block block : facts.settings) blocks.push_back(block.owned_by(owner));
  };
  for (const auto& entry : catalogue.models) add("model " + entry->facts().name, entry->facts());
  for (const auto& entry : catalogue.tasks) add("task " + entry->facts().name, entry->facts());
  return config::Options(std::move(blocks));
}

bool is_used_by_run(const std::string& owner, const config::Options& options) {
  const auto& settings = options.get<RunSettings>();
  // "openai/clip" is a checkpoint, "vilma/relations" a part of a task.
  const std::string model = settings.model.substr(0, settings.model.find(':'));
  const OfflineSettings* offline = options.get_if<OfflineSettings>();
  const bool is_exporting = offline && !offline->export_requests.empty() && owner == "model exec";
  const bool is_replied = offline && !offline->replies.empty() && owner == "model replies";
  return is_exporting || is_replied || owner == "model " + model ||
         std::any_of(settings.tasks.begin(), settings.tasks.end(), [&](const std::string& task) {
           return owner == "task " + task.substr(0, task.find_first_of(":/"));
         });
}

RunSettings settings_of(const config::Options& options, const Catalogue& catalogue) {
  auto settings = options.get<RunSettings>();
  const auto& shared = options.get<tasks::SharedSettings>();
  std::string name = settings.model;
  const OfflineSettings* offline = options.get_if<OfflineSettings>();
  if (shared.adapter == "file") {
    // The reference's spelling: --model names the model whose scores were made elsewhere.
    if (settings.scores.empty())
      throw Error{ErrorCode::kUsage,
                  "no score file named",
                  "--scores",
                  "for example --scores scores.jsonl"};
    settings.model = "file:" + settings.scores;
  } else if (shared.adapter == "given") {
    settings.model = "given";
  } else if (offline && !offline->replies.empty()) {
    settings.model = "replies:" + offline->replies;
    if (name.empty()) name = "replies";
  } else if (offline && !offline->export_requests.empty() && settings.model.empty()) {
    settings.model = "exec";  // whom the requests are for
    name = "requests";
  } else {
    if (settings.model.empty())
      throw Error{ErrorCode::kUsage,
                  "no model named",
                  "--model",
                  "give a checkpoint folder, a published name as ORG/NAME, exec:\"COMMAND\" or "
                  "file:scores.jsonl"};
    settings.is_folder = !names_adapter(settings.model, catalogue);
    name = settings.is_folder ? checkpoint_title(settings.model)
                              : adapter_title(settings.model, catalogue);
  }
  if (settings.name.empty()) settings.name = name.empty() ? "file" : name;
  if (settings.tasks.empty())
    throw Error{ErrorCode::kUsage,
                "no task named",
                "--tasks",
                "for example --tasks probe-c; `snellen list tasks` shows all"};
  settings.prefers_raw_dot = settings.is_compat;
  for (const std::string& task : settings.tasks)
    settings.prefers_raw_dot &= catalogue.task(task).facts().compat_asks_raw_dot;
  named_tasks(settings.tasks);
  settings.titles = settings.tasks;
  settings.num_threads = threads_or_cores(shared.num_workers);
  settings.seed = shared.seed;
  settings.shard = parse_shard(settings.share);
  rungs_of(settings.control);
  settings.overwrites = settings.overwrites || !settings.resumes;
  if (!options.get<KeepingSettings>().marks.empty() && settings.shard.count > 1) {
    throw Error{ErrorCode::kUsage,
                "shards are merged over all items",
                "--leave-out",
                "leave out --shard, or score the merged run's scores again with --leave-out"};
  }
  if (settings.is_compat && !shared.ties.empty()) {
    throw Error{ErrorCode::kUsage,
                "the reference scripts have their own rule for ties",
                "--ties",
                "leave out --ties or --compat"};
  }
  if (std::optional<metrics::Ties> ties = metrics::ties_of(shared.ties))
    settings.ties = metrics::name_of(*ties);
  if (!(settings.confidence > 0 && settings.confidence < 1))
    throw Error{ErrorCode::kUsage,
                "is not between 0 and 1",
                "--confidence",
                "for intervals of 95 % give 0.95"};
  return settings;
}

}  // namespace snellen::run
