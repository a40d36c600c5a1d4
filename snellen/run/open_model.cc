// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/open_model.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/hash.h"
#include "snellen/models/worker.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/ranks/ranks.h"
#include "snellen/run/stamped_batch.h"
#include "snellen/stats/parallel.h"

namespace snellen::run {
inference::FolderRequest folder_request(const config::Options& options,
                                        const RunSettings& settings) {
  const auto& own = options.get<CheckpointSettings>();
  // Each with its name: GCC 12 destroys a nested {} twice when a later member throws.
  inference::NetworkChoice network{.model = settings.model,
                                   .layout = own.layout,
                                   .device = own.device,
                                   .dtype = own.dtype,
                                   .quick_gelu = own.quick_gelu};
  inference::DriverOptions driver{
      .head = own.head,
      .rules = inference::AskingRules{.alpha_on_white = own.transparency == "white",
                                      .prepends_bos = own.prepends_bos,
                                      .itm_score = own.itm_score,
                                      .prefers_raw_dot = settings.prefers_raw_dot},
      .is_compat = settings.is_compat,
      .masks_clips = own.masks_clips.value_or(false),
      .num_threads = settings.num_threads,
      .working_folder = settings.output};
  return {.network = std::move(network),
          .driver = std::move(driver),
          .uses_cache = !own.has_no_cache,
          .cache = own.cache,
          .cache_bytes = static_cast<uint64_t>(own.cache_size * 1e9)};
}

namespace {

// Lines of a score file for items that the task does not have: then the file belongs to other
// annotations. Eight bytes per item of the task are kept.
class UnknownItems {
 public:
  UnknownItems(const OpenTask& open, unsigned num_threads)
      : open_(open), num_threads_(num_threads) {}

  void add(std::string_view item) {
    if (num_lines_++ == 0) find_known();
    const bool is_known = std::binary_search(known_.begin(), known_.end(), fnv1a64(item));
    if (is_known || open_.task->is_left_out(item)) return;
    ++num_unknown_;
    if (names_.size() < kShown) names_.emplace_back(item);
  }

  void refuse_any(const std::string& file) const {
    // What a bad record is called cannot be told: a line may be its.
    if (num_unknown_ <= num_bad_) return;
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} of {} lines are for items that the annotations of {} do not have: "
                            "{}{}",
                            num_unknown_,
                            num_lines_,
                            open_.name,
                            fmt::join(names_, ", "),
                            num_unknown_ > names_.size() ? ", ..." : ""),
                file,
                "name the annotations that were scored with --data, or pass --ignore-unknown"};
  }

 private:
  static constexpr size_t kShown = 3;

  // Hashes of the ids of all items, sorted.
  void find_known() {
    uint64_t count = 0;
    for (const tasks::Part& part : open_.parts) count += part.num_items;
    known_.resize(count, 0);
    stats::for_ranges(count, num_threads_, [&](uint64_t first, uint64_t last) {
      for (uint64_t position = first; position < last; ++position) {
        const Result<tasks::Item> item = open_.task->item(position);
        if (item) {
          known_[position] = fnv1a64(item->id);
        } else {
          ++num_bad_;
        }
      }
    });
    std::sort(known_.begin(), known_.end());
  }

  const OpenTask& open_;
  unsigned num_threads_;
  std::vector<uint64_t> known_;
  std::atomic<uint64_t> num_bad_ = 0;
  uint64_t num_lines_ = 0;
  uint64_t num_unknown_ = 0;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<models::Model> open_model(const RunRequest& request,
                                          const RunSettings& settings,
                                          const std::vector<OpenTask>& tasks) {
  inference::FolderRequest folder = folder_request(request.options, settings);
  folder.driver.is_asked_in_parts = request.ranks != nullptr;
  if (settings.is_folder) {
    folder.driver.pictures = request.pictures;
    if (folder.network.device != "cpu" && !settings.overwrites)
      folder.driver.gpu_batch = stamped_batch(settings.folder());
    const int gpu = request.ranks ? request.ranks->gpu : -1;
    if (folder.network.device == "cuda" && gpu >= 0)
      folder.network.device = fmt::format("cuda:{}", gpu);
    return inference::open_folder(request.catalogue.installation, folder);
  }
  const models::ModelEntry& entry = request.catalogue.model(settings.model);
  size_t colon = settings.model.find(':');
  models::ModelRequest wanted{
      .argument = colon == std::string::npos ? "" : settings.model.substr(colon + 1),
      .seed = settings.seed,
      .options = &request.options,
      .is_compat = settings.is_compat,
      .working_folder = settings.output,
      .say = request.on_message,
      .score = folder.driver.head,
      .cache = folder.uses_cache
                   ? (folder.cache.empty() ? request.catalogue.installation.cache : folder.cache)
                   : std::filesystem::path(),
      .variable = request.catalogue.installation.variable};
  const tasks::Task* task = tasks.front().task.get();
  bool is_alone = tasks.size() == 1;
  wanted.read_line = [task, is_alone](std::string_view line) -> Result<models::FileScores> {
    if (!is_alone)
      throw Error{ErrorCode::kUsage,
                  "a score file holds the scores of one task",
                  "--tasks",
                  "name one task per run"};
    Result<tasks::ScoreLine> read = task->read_score_line(line);
    if (!read) return read.error();
    return models::FileScores{read->item, read->scores};
  };
  if (const auto* outside = dynamic_cast<const models::WorkerEntry*>(&entry))
    return inference::open_worker(
        request.catalogue.installation, outside->open_worker(wanted), folder);
  if (settings.ignores_unknown) return entry.open(wanted);
  UnknownItems unknown(tasks.front(), settings.num_threads);
  wanted.on_item = [&unknown](std::string_view item) { unknown.add(item); };
  std::unique_ptr<models::Model> model = entry.open(wanted);
  unknown.refuse_any(wanted.argument);
  return model;
}

}  // namespace snellen::run
