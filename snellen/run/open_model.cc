// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/open_model.h"

#include <fmt/format.h>

#include "snellen/run/ranks/ranks.h"

namespace snellen::run {

inference::FolderRequest folder_request(const config::Options& options,
                                        const RunSettings& settings) {
  const auto& own = options.get<CheckpointSettings>();
  return {.network = {.model = settings.model,
                      .layout = own.layout,
                      .device = own.device,
                      .dtype = own.dtype,
                      .quick_gelu = own.quick_gelu},
          .driver = {.head = own.head,
                     .is_compat = settings.is_compat,
                     .masks_clips = own.masks_clips.value_or(false),
                     .num_threads = settings.num_threads,
                     .working_folder = settings.output},
          .uses_cache = !own.has_no_cache,
          .cache = own.cache,
          .cache_bytes = static_cast<uint64_t>(own.cache_size * 1e9)};
}

std::unique_ptr<models::Model> open_model(const RunRequest& request,
                                          const RunSettings& settings,
                                          const std::vector<OpenTask>& tasks) {
  if (settings.is_folder) {
    inference::FolderRequest folder = folder_request(request.options, settings);
    folder.driver.pictures = request.pictures;
    folder.driver.is_asked_in_parts = request.ranks != nullptr;
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
      .say = request.on_message};
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
  return entry.open(wanted);
}

}  // namespace snellen::run
