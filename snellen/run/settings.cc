// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/settings.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/hash.h"
#include "snellen/base/nearest.h"
#include "snellen/config/groups.h"
#include "snellen/metrics/choice/ties.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::run {
namespace {

constexpr double kMostItems = 1099511627776;  // 2^40

// Longer names get a hash for what is cut: file systems take 255 bytes, and what follows the name
// (a shard, a draft) needs some.
constexpr size_t kMostNameBytes = 200;

// A folder name: nothing that leaves its place or hides.
std::string folder_name(std::string text) {
  const uint64_t hash = fnv1a64(text);
  for (char& c : text) {
    bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '-' || c == '_' || c == '.' || c == '+' || c == '@' || c == '=';
    if (!is_plain) c = '_';
  }
  if (text.empty() || text.front() == '.') text.insert(0, "run");
  if (text.size() > kMostNameBytes) {
    const std::string end = fmt::format("-{:016x}", hash);
    text.resize(kMostNameBytes - end.size());
    text += end;
  }
  return text;
}

// A path, or the name of a folder that is there.
bool names_folder(const std::string& model) {
  std::error_code ignored;
  return model.starts_with("/") || model.starts_with("./") || model.starts_with("../") ||
         std::filesystem::is_directory(model, ignored);
}

std::string folder_title(const std::string& folder) {
  return std::filesystem::absolute(folder / std::filesystem::path("."))
      .lexically_normal()
      .parent_path()
      .filename()
      .string();
}

}  // namespace

Catalogue Catalogue::built_in() {
  return {tasks::built_in_tasks(), models::built_in_models(), {}, {}};
}

const tasks::TaskEntry& Catalogue::task(const std::string& spec) const {
  std::string name = spec.substr(0, spec.find(':'));
  std::vector<std::string> known;
  for (const auto& entry : tasks) {
    const tasks::TaskFacts& facts = entry->facts();
    if (facts.name == (facts.takes_argument ? name : spec)) return *entry;
    known.push_back(facts.name);
    if (!facts.takes_part) continue;
    for (const std::string& part : facts.parts) {
      known.push_back(fmt::format("{}/{}", facts.name, part));
      if (known.back() == spec) return *entry;
    }
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("unknown task '{}'", spec.substr(0, 80)),
              "--tasks",
              suggest(name, known)};
}

const models::ModelEntry& Catalogue::model(const std::string& spec) const {
  std::string name = spec.substr(0, spec.find(':'));
  std::vector<std::string> known;
  for (const auto& entry : models) {
    if (entry->facts().name == name) return *entry;
    known.push_back(entry->facts().name);
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("unknown model '{}'", name.substr(0, 80)),
              "--model",
              suggest(name, known)};
}

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
           {option(
                &S::model,
                "model",
                "checkpoint folder; file:SCORES for scores made elsewhere; exec:\"COMMAND\" for a "
                "program of yours; or a name from `snellen list models`"),
            option(&S::tasks,
                   "tasks",
                   "from `snellen list tasks`, separated by commas; your own as file:items.jsonl"),
            option(&S::name, "name", "name of the model in files and folders"),
            option(&S::limit, "limit", "score the first N items per part; 0: all")
                .range(0, kMostItems),
            option(&S::is_dry_run, "dry-run", "print the plan and the missing files; score nothing")
                .identity(false),
            option(&S::scores, "scores", "score file for --adapter file: one JSON object per line")
                .identity(false)
                .value("FILE")}),
       config::grouped(
           "Where results go",
           {option(&S::output, "output", "folder for run folders")
                .alias("save_dir")
                .identity(false)
                .value("DIR"),
            option(&S::resumes, "resume", "continue an unfinished run").identity(false),
            option(&S::overwrites, "overwrite", "delete what the run folder holds").identity(false),
            option(&S::dump_scores,
                   "dump-scores",
                   "also write the scores as `snellen score` reads them: a file, or a folder for "
                   "several tasks")
                .identity(false)
                .value("PATH"),
            option(&S::export_items,
                   "export-items",
                   "also write the items as `--tasks file:F` reads them: a file, or a folder for "
                   "several tasks")
                .identity(false)
                .value("PATH"),
            option(&S::wants_per_group, "per-group", "also write JSON lines with group ids"),
            option(&S::wants_compat_names,
                   "also-compat-names",
                   "also write copies under the reference's file names")}),
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
            option(&S::mpi, "mpi", "share the run with the other processes of mpirun or srun")
                .choices({"auto", "on", "off"})
                .identity(false)})});
}

std::vector<config::Option> checkpoint_options() {
  using config::option;
  using S = CheckpointSettings;
  return config::grouped(
      "Checkpoint folders",
      {option(&S::head, "score", "head of the model: itc, itm, ... (default: its first)"),
       option(&S::device, "device", "cpu, cuda or cuda:N"),
       option(&S::dtype, "dtype", "number type").choices({"auto", "fp32", "bf16", "fp16"}),
       option(&S::layout, "layout", "which files to read where a folder has both")
           .choices({"auto", "hf", "open_clip"}),
       option(&S::quick_gelu, "quick-gelu", "QuickGELU in open_clip folders; auto: as their config")
           .choices({"auto", "on", "off"}),
       option(&S::masks_clips, "mask-video", "show zeros instead of every video clip")
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
           .above(0)
           .identity(false)});
}

}  // namespace

config::Options run_options(const Catalogue& catalogue) {
  std::vector<config::Block> blocks;
  blocks.emplace_back(RunSettings{}, own_options());
  blocks.emplace_back(tasks::SharedSettings{}, tasks::shared_options());
  blocks.emplace_back(CheckpointSettings{}, checkpoint_options());
  auto add = [&](const std::string& owner, const auto& facts) {
    for (config::Block block : facts.settings) blocks.push_back(block.owned_by(owner));
  };
  for (const auto& entry : catalogue.models) add("model " + entry->facts().name, entry->facts());
  for (const auto& entry : catalogue.tasks) add("task " + entry->facts().name, entry->facts());
  return config::Options(std::move(blocks));
}

bool is_used_by_run(const std::string& owner, const config::Options& options) {
  const auto& settings = options.get<RunSettings>();
  auto is_named = [&](const std::string& kind, const std::string& spec) {
    return owner == kind + spec.substr(0, spec.find_first_of(":/"));
  };
  return is_named("model ", settings.model) ||
         std::any_of(settings.tasks.begin(), settings.tasks.end(), [&](const std::string& task) {
           return is_named("task ", task);
         });
}

RunSettings settings_of(const config::Options& options, const Catalogue& catalogue) {
  auto settings = options.get<RunSettings>();
  const auto& shared = options.get<tasks::SharedSettings>();
  std::string name = settings.model;
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
  } else {
    if (settings.model.empty())
      throw Error{ErrorCode::kUsage,
                  "no model named",
                  "--model",
                  "for example --model fake, or --model file:scores.jsonl"};
    settings.is_folder = names_folder(settings.model);
    name = settings.is_folder ? folder_title(settings.model)
                              : catalogue.model(settings.model).facts().name;
  }
  if (settings.name.empty()) settings.name = name.empty() ? "file" : name;
  if (settings.tasks.empty())
    throw Error{ErrorCode::kUsage,
                "no task named",
                "--tasks",
                "for example --tasks probe-c; `snellen list tasks` shows all"};
  for (const std::string& task : settings.tasks) catalogue.task(task);
  named_tasks(settings.tasks);
  settings.titles = settings.tasks;
  settings.num_threads = shared.num_workers > 0 ? static_cast<unsigned>(shared.num_workers)
                                                : std::max(1U, std::thread::hardware_concurrency());
  settings.seed = shared.seed;
  settings.shard = parse_shard(settings.share);
  settings.overwrites = settings.overwrites || !settings.resumes;
  if (settings.is_compat && !shared.ties.empty()) {
    throw Error{ErrorCode::kUsage,
                "the reference scripts have their own rule for ties",
                "--ties",
                "leave out --ties or --compat"};
  }
  if (std::optional<metrics::Ties> ties = metrics::ties_of(shared.ties))
    settings.ties = metrics::name_of(*ties);
  if (!(settings.confidence > 0 && settings.confidence < 1))
    throw Error{ErrorCode::kUsage, "is not between 0 and 1", "--confidence"};
  return settings;
}

}  // namespace snellen::run
