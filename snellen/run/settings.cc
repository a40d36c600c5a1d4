// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/settings.h"

#include <algorithm>
#include <charconv>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/hash.h"
#include "snellen/base/nearest.h"
#include "snellen/metrics/choice/ties.h"

namespace snellen::run {
namespace {

constexpr int64_t kMostThreads = 1024;

uint64_t at_least(const config::Options& options, const char* name, int64_t least, int64_t most) {
  int64_t value = options.integer(name);
  if (value < least || value > most) {
    throw Error{ErrorCode::kUsage,
                fmt::format("is {}, expected {} to {}", value, least, most),
                fmt::format("--{}", name)};
  }
  return static_cast<uint64_t>(value);
}

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

std::vector<config::OptionFacts> run_options(const Catalogue& catalogue) {
  using config::OptionKind;
  std::vector<config::OptionFacts> options = {
      {.name = "model",
       .help = "the model: a name from `snellen list models`, e.g. file:scores.jsonl"},
      {.name = "adapter",
       .help = "`file`: take scores from --scores, `given`: results from the task's own flags; "
               "--model is then only the model's name",
       .choices = {"file", "given"}},
      {.name = "scores",
       .help = "score file of --adapter file, one JSON line a group",
       .is_identity = false},
      {.name = "name",
       .help = "how the model is called in files and folders (default: the model's name)"},
      {.name = "tasks",
       .kind = OptionKind::kList,
       .help = "tasks, comma separated, from `snellen list tasks`; your own as file:items.jsonl"},
      {.name = "data",
       .default_value = ".",
       .help = "folder of the annotation files",
       .aliases = {"annot_dir"},
       .is_identity = false},
      {.name = "output",
       .default_value = "runs",
       .help = "where run folders go",
       .aliases = {"save_dir"},
       .is_identity = false},
      {.name = "limit",
       .kind = OptionKind::kInteger,
       .default_value = "0",
       .help = "only the first N items of each part (0: all)"},
      {.name = "batch-size",
       .kind = OptionKind::kInteger,
       .default_value = "256",
       .help = "items a batch; results do not depend on it",
       .is_identity = false},
      {.name = "num-workers",
       .kind = OptionKind::kInteger,
       .default_value = "0",
       .help = "threads (0: one per core); results do not depend on it",
       .aliases = {"threads"},
       .is_identity = false},
      {.name = "seed",
       .kind = OptionKind::kInteger,
       .default_value = "0",
       .help = "seed of every random stream"},
      {.name = "shard",
       .default_value = "0/1",
       .help = "take share i of n: --shard 0/3; join them with `snellen merge`",
       .is_identity = false},
      {.name = "mpi",
       .default_value = "auto",
       .help = "share the run with the other processes of mpirun or srun",
       .choices = {"auto", "on", "off"},
       .is_identity = false},
      {.name = "compat",
       .kind = OptionKind::kFlag,
       .default_value = "false",
       .help = "reproduce the reference scripts, bugs included"},
      {.name = "fail-fast",
       .kind = OptionKind::kFlag,
       .default_value = "false",
       .help = "stop at the first failed item",
       .is_identity = false},
      {.name = "resume",
       .kind = OptionKind::kFlag,
       .default_value = "true",
       .help = "go on with an unfinished run of the same settings",
       .is_identity = false},
      {.name = "overwrite",
       .kind = OptionKind::kFlag,
       .default_value = "false",
       .help = "throw away what the run folder holds",
       .is_identity = false},
      {.name = "also-compat-names",
       .kind = OptionKind::kFlag,
       .default_value = "false",
       .help = "also write copies under the reference's file names"},
      {.name = "per-group",
       .kind = OptionKind::kFlag,
       .default_value = "false",
       .help = "also write JSON lines with group ids"},
      {.name = "confidence",
       .kind = OptionKind::kNumber,
       .default_value = "0.95",
       .help = "level of the intervals"},
      {.name = "bootstrap",
       .kind = OptionKind::kInteger,
       .default_value = "0",
       .help = "bootstrap every interval with this many resamples"},
      {.name = "root-image-dir", .help = "folder of the images", .is_identity = false},
      {.name = "ties",
       .help = "what a decision is worth that a tie stands in the way of (default: the task's own "
               "rule, mostly wrong); foil and caption are ViLMA's words for wrong and right",
       .choices = {"wrong", "half", "right", "foil", "caption"}},
      {.name = "dump-scores",
       .help = "also write the scores as `score` reads them: a file for one task, a folder (with a "
               "/ behind it) for several",
       .is_identity = false},
      {.name = "export-items",
       .help = "also write the items as `--tasks file:F` reads them: a file for one task, a folder "
               "for several",
       .is_identity = false},
      {.name = "dry-run",
       .kind = OptionKind::kFlag,
       .help = "print what would be asked of the model and which files are missing, and score "
               "nothing",
       .is_identity = false},
      {.name = "score",
       .help =
           "checkpoint folders: which of the model's scores (itc, itm, ...; default its first)"},
      {.name = "device", .default_value = "cpu", .help = "checkpoint folders: cpu, cuda or cuda:N"},
      {.name = "dtype",
       .default_value = "fp32",
       .help = "checkpoint folders: numbers to compute in",
       .choices = {"auto", "fp32", "bf16", "fp16"}},
      {.name = "cache",
       .help = "checkpoint folders: where embeddings and scores are kept between runs (default "
               "SNELLEN_CACHE, else the user's cache)",
       .is_identity = false},
      {.name = "no-cache",
       .kind = OptionKind::kFlag,
       .default_value = "false",
       .help = "checkpoint folders: keep nothing and use nothing that was kept",
       .is_identity = false},
      {.name = "cache-size",
       .kind = OptionKind::kNumber,
       .default_value = "10",
       .help = "checkpoint folders: GB that the cache may take",
       .is_identity = false},
      {.name = "layout",
       .default_value = "auto",
       .help = "checkpoint folders: whose files to read where a folder has both",
       .choices = {"auto", "hf", "open_clip"}},
      {.name = "quick-gelu",
       .default_value = "auto",
       .help = "open_clip folders: QuickGELU as the config says, on or off",
       .choices = {"auto", "on", "off"}},
  };
  auto add = [&](const std::vector<config::OptionFacts>& more) {
    for (const config::OptionFacts& option : more) {
      bool is_known = std::any_of(options.begin(), options.end(), [&](const auto& known) {
        return known.name == option.name;
      });
      if (!is_known) options.push_back(option);
    }
  };
  for (const auto& entry : catalogue.models) add(entry->facts().options);
  for (const auto& entry : catalogue.tasks) add(entry->facts().options);
  return options;
}

RunSettings settings_of(const config::Options& options, const Catalogue& catalogue) {
  RunSettings settings;
  settings.model = options.text("model");
  settings.name = settings.model;
  if (options.text("adapter") == "file") {
    // The reference's spelling: --model names the model whose scores were made elsewhere.
    if (!options.is_set("scores"))
      throw Error{ErrorCode::kUsage,
                  "no score file named",
                  "--scores",
                  "for example --scores scores.jsonl"};
    if (settings.name.empty()) settings.name = "file";
    settings.model = "file:" + options.text("scores");
  } else if (options.text("adapter") == "given") {
    if (settings.name.empty()) settings.name = "file";
    settings.model = "given";
  } else {
    if (settings.model.empty())
      throw Error{ErrorCode::kUsage,
                  "no model named",
                  "--model",
                  "for example --model fake, or --model file:scores.jsonl"};
    settings.is_folder = names_folder(settings.model);
    settings.name = settings.is_folder ? folder_title(settings.model)
                                       : catalogue.model(settings.model).facts().name;
  }
  if (options.is_set("name")) settings.name = options.text("name");
  settings.tasks = options.list("tasks");
  if (settings.tasks.empty())
    throw Error{ErrorCode::kUsage,
                "no task named",
                "--tasks",
                "for example --tasks probe-c; `snellen list tasks` shows all"};
  for (const std::string& task : settings.tasks) catalogue.task(task);
  named_tasks(settings.tasks);
  settings.titles = settings.tasks;
  constexpr int64_t kMost = int64_t{1} << 40;
  settings.output = options.text("output");
  settings.limit = at_least(options, "limit", 0, kMost);
  settings.batch_size = at_least(options, "batch-size", 1, 1 << 20);
  uint64_t workers = at_least(options, "num-workers", 0, kMostThreads);
  settings.num_threads = workers > 0 ? static_cast<unsigned>(workers)
                                     : std::max(1U, std::thread::hardware_concurrency());
  settings.seed = at_least(options, "seed", 0, std::numeric_limits<int64_t>::max());
  settings.shard = parse_shard(options.text("shard"));
  settings.is_compat = options.flag("compat");
  settings.fails_fast = options.flag("fail-fast");
  settings.overwrites = options.flag("overwrite") || !options.flag("resume");
  settings.wants_compat_names = options.flag("also-compat-names");
  settings.wants_per_group = options.flag("per-group");
  if (settings.is_compat && options.is_set("ties")) {
    throw Error{ErrorCode::kUsage,
                "the reference scripts decide ties their own way",
                "--ties",
                "leave it or --compat out"};
  }
  if (std::optional<metrics::Ties> ties = metrics::ties_of(options.text("ties")))
    settings.ties = metrics::name_of(*ties);
  settings.confidence = options.number("confidence");
  if (!(settings.confidence > 0 && settings.confidence < 1))
    throw Error{ErrorCode::kUsage, "is not between 0 and 1", "--confidence"};
  settings.bootstrap = at_least(options, "bootstrap", 0, 10'000'000);
  return settings;
}

}  // namespace snellen::run
