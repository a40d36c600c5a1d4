// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/closing.h"

#include "snellen/base/hash.h"
#include "snellen/run/finish.h"
#include "snellen/run/task_record.h"

namespace snellen::run {
namespace {

constexpr size_t kFailuresShown = 20;

const char* stamped(Verdict verdict) {
  switch (verdict) {
    case Verdict::kComplete:
      return "complete";
    case Verdict::kFailures:
      return "failures";
    case Verdict::kInterrupted:
      break;
  }
  return "interrupted";
}

}  // namespace

void sum_up(RunSummary& summary,
            const std::vector<OpenTask>& tasks,
            store::Samples& samples,
            bool is_complete) {
  uint64_t num_others = 0;  // failed or skipped
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    summary.tasks.push_back({tasks[task].name,
                             samples.counts(task),
                             samples.failures(task, kFailuresShown),
                             tasks[task].task->notes()});
    const store::SampleCounts& counts = summary.tasks.back().counts;
    num_others += counts.failed + counts.skipped;
  }
  summary.verdict = !is_complete     ? Verdict::kInterrupted
                    : num_others > 0 ? Verdict::kFailures
                                     : Verdict::kComplete;
}

void close_run(const ClosingRequest& request,
               nlohmann::ordered_json stamp,
               bool is_complete,
               store::Samples& samples,
               RunSummary& summary) {
  sum_up(summary, request.tasks, samples, is_complete);
  const store::RunPaths& paths = request.paths;
  std::string digest;
  if (is_complete) {
    Finished finished = write_results(
        {paths, request.tasks, request.settings, request.command, request.seconds()}, samples);
    summary.results = finished.results;
    digest = finished.digest;
    for (const std::filesystem::path& file : finished.files)
      stamp["files"][file.generic_string()] = sha256_of_file(paths.folder / file);
  }
  finish_stamp(stamp,
               stamped(summary.verdict),
               samples,
               is_complete ? digest : samples.digest(),
               request.seconds());
  store::write_stamp(paths, stamp);
  summary.seconds = request.seconds();
  expect_scored(summary);
}

void expect_scored(const RunSummary& summary) {
  uint64_t num_scored = 0;
  uint64_t num_others = 0;
  for (const TaskSummary& task : summary.tasks) {
    num_scored += task.counts.scored;
    num_others += task.counts.failed + task.counts.skipped;
  }
  if (summary.verdict == Verdict::kInterrupted || num_scored > 0) return;
  throw nothing_scored(summary.tasks.front().failures, num_others, store::RunPaths(summary.folder));
}

}  // namespace snellen::run
