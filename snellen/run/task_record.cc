// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/task_record.h"

#include <fmt/format.h>

#include "snellen/run/stamp.h"

namespace snellen::run {

std::vector<OpenTask> open_tasks(const Catalogue& catalogue,
                                 const config::Options& options,
                                 const RunSettings& settings) {
  std::vector<OpenTask> tasks;
  for (const NamedTask& named : named_tasks(settings.tasks)) {
    OpenTask open{.name = named.name,
                  .task = catalogue.task(named.name)
                              .open({options, settings.name, settings.is_compat, named.parts}),
                  .parts = {}};
    open.parts = open.task->parts();
    tasks.push_back(std::move(open));
  }
  return tasks;
}

std::vector<store::TaskRecord> task_records(const std::vector<OpenTask>& tasks) {
  std::vector<store::TaskRecord> records;
  for (const OpenTask& open : tasks) {
    store::TaskRecord record{.name = open.name, .parts = {}, .columns = {}};
    for (const tasks::Part& part : open.parts) record.parts.push_back({part.name, part.num_items});
    for (const tasks::Column& column : open.task->columns()) {
      record.columns.push_back({.name = column.name,
                                .is_share = column.is_share,
                                .higher_is_better = column.higher_is_better,
                                .chance = column.chance,
                                .has_breakdown = column.has_breakdown});
    }
    records.push_back(std::move(record));
  }
  return records;
}

void finish_stamp(nlohmann::ordered_json& stamp,
                  const std::string& verdict,
                  store::Samples& samples,
                  const std::string& digest,
                  double seconds) {
  std::vector<store::TaskRecord> records = samples.tasks();
  for (uint32_t task = 0; task < records.size(); ++task) {
    store::SampleCounts counts = samples.counts(task);
    stamp["counts"][records[task].name] = {{"total", counts.total()},
                                           {"scored", counts.scored},
                                           {"failed", counts.failed},
                                           {"skipped", counts.skipped}};
  }
  stamp["samples_sha256"] = digest;
  stamp["finished"] = utc_now();
  stamp["seconds"] = seconds;
  stamp["verdict"] = verdict;
}

Error nothing_scored(const std::vector<store::Sample>& failures,
                     uint64_t total,
                     const store::RunPaths& paths) {
  if (failures.empty()) {
    return Error{ErrorCode::kNothingScored,
                 "no item was there to be scored",
                 paths.folder.string(),
                 "check --data, --limit and the image folders"};
  }
  const Error& first = *failures.front().error;
  return Error{ErrorCode::kNothingScored,
               fmt::format("none of {} items was scored; the first: {}", total, first.message()),
               first.where(),
               first.hint()};
}

}  // namespace snellen::run
