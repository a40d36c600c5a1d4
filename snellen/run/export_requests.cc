// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/export_requests.h"

#include "snellen/models/exec/offline.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/open_model.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/scoring.h"

namespace snellen::run {

std::vector<config::Option> offline_options() {
  using config::option;
  using S = OfflineSettings;
  return {option(&S::replies, "replies", "an adapter's replies to --export-requests")
              .group("What to run")
              .identity(false)
              .omit_default()
              .value("FILE"),
          option(&S::export_requests,
                 "export-requests",
                 "write the requests for an adapter on another machine and score nothing; "
                 "--replies reads its answers")
              .group("Where results go")
              .rare()
              .identity(false)
              .omit_default()
              .value("FILE")};
}

ExportedRequests export_requests(const RunRequest& request) {
  constexpr size_t kFailuresKept = 5;
  RunSettings settings = settings_of(request.options, request.catalogue);
  const std::string& path = request.options.get<OfflineSettings>().export_requests;
  const std::vector<OpenTask> tasks = open_tasks(request.catalogue, request.options, settings);
  expect_image_folders(tasks);
  models::exec::RequestFile file(
      path, request.options.get<models::exec::ExecSettings>(), settings.is_compat);
  inference::FolderRequest folder = folder_request(request.options, settings);
  folder.uses_cache = false;
  folder.driver.working_folder = std::filesystem::absolute(path).parent_path();
  const std::unique_ptr<models::Model> model =
      inference::open_worker(request.catalogue.installation, file.worker(), folder);
  const Plan plan(tasks, settings.limit);
  ExportedRequests exported;
  auto take = [&](std::vector<store::Sample>&& samples) {
    for (store::Sample& sample : samples) {
      ++exported.num_items;
      if (!sample.error) continue;
      ++exported.num_failed;
      if (exported.failures.size() < kFailuresKept) exported.failures.push_back(std::move(sample));
    }
  };
  auto at = [&](uint64_t index) -> std::optional<PlannedItem> {
    const PlannedItem planned = plan[index];
    if (settings.shard.count <= 1) return planned;
    const Result<tasks::Item> item = tasks[planned.task].task->item(planned.position);
    if (!is_of_shard(settings.shard, item ? &*item : nullptr, planned.position))
      return std::nullopt;
    return planned;
  };
  score_items({.count = plan.size(), .at = at},
              tasks,
              *model,
              {settings.batch_size, settings.num_threads, request.is_stopped},
              take);
  if (request.is_stopped && request.is_stopped())
    throw Error{ErrorCode::kInterrupted,
                "was stopped; nothing is written",
                path,
                "give the same command again"};
  exported.num_requests = file.num_requests();
  file.commit();
  return exported;
}

}  // namespace snellen::run
