// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/imported_run.h"

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/base/version.h"
#include "snellen/run/ending/measure.h"
#include "snellen/run/ending/run_files.h"
#include "snellen/run/folder_name.h"
#include "snellen/run/stamp.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json identity_of(const ImportedRun& run) {
  Json identity;
  identity["version"] = version();
  identity["settings"] = {{"name", run.model}, {"model", run.source}, {"tasks", run.task.name}};
  identity["model"] = {{"imported_from", run.source}};
  Json& facts = identity["tasks"][run.task.name];
  for (const store::TaskRecord::Part& part : run.task.parts)
    facts["items"][part.name] = part.num_items;
  // The first of them decides what is right.
  for (const store::TaskRecord::Column& column : run.task.columns)
    facts["metrics"].push_back(column.name);
  for (const fs::path& path : run.inputs)
    facts["inputs"][path.filename().string()] = sha256_of_file(path);
  return identity;
}

Json stamp_of(const ImportedRun& run, const Json& identity) {
  Json stamp;
  stamp["schema"] = 1;
  stamp["tool"] = {{"name", "snellen"}, {"version", version()}, {"revision", revision()}};
  stamp["command"] = run.command;
  stamp["identity"] = identity;
  stamp["identity_sha256"] = sha256_hex(store::json_text(identity));
  stamp["shard"] = "0/1";
  stamp["settings"] = {{"name", run.model}};
  for (const fs::path& path : run.inputs)
    stamp["input_paths"][run.task.name][path.filename().string()] =
        fs::absolute(path).lexically_normal().string();
  stamp["notes"] = run.notes;
  stamp["started"] = utc_now();
  return stamp;
}

}  // namespace

ImportedFolder write_imported_run(ImportedRun run, const fs::path& output) {
  for (size_t i = 0; i < run.samples.size(); ++i) run.samples[i].position = i;
  run.task.parts = {{"", run.samples.size()}};
  for (const store::Sample& sample : run.samples) {
    run.task.shape.num_visuals = std::max(run.task.shape.num_visuals, sample.visuals.size());
    run.task.shape.num_texts = std::max(run.task.shape.num_texts, sample.texts.size());
  }
  ImportedFolder written;
  written.folder = output / folder_name(fmt::format("{}-{}", run.model, run.task.name));
  const store::RunPaths paths(written.folder);
  const store::RunLock lock(paths);
  remove_half_written_in(paths.folder);
  remove_if_nothing_scored(paths);
  if (!fs::exists(paths.stamp()) && !fs::exists(paths.samples())) expect_no_such_files(paths);
  const Json identity = identity_of(run);
  Json stamp = stamp_of(run, identity);
  store::Samples samples = store::Samples::open_to_write(paths.samples());
  samples.set_tasks({run.task});
  expect_same_run(samples, facts_of(identity, Shard{}));
  if (samples.counts(0).total() == 0) samples.add(run.samples);
  written.counts = samples.counts(0);
  if (written.counts.scored == 0) {
    throw Error{ErrorCode::kNothingScored,
                fmt::format("none of {} samples has a value", run.samples.size()),
                run.inputs.empty() ? "" : run.inputs.front().string(),
                "name another --metric"};
  }
  written.results = {written.folder.filename().string(), measure(samples, MeasureOptions{})};
  write_text_file(paths.results(), store::results_to_json(written.results));
  stamp["files"]["results.json"] = sha256_of_file(paths.results());
  stamp["counts"][run.task.name] = {{"total", written.counts.total()},
                                    {"scored", written.counts.scored},
                                    {"failed", written.counts.failed},
                                    {"skipped", written.counts.skipped}};
  stamp["samples_sha256"] = samples.digest();
  stamp["finished"] = utc_now();
  stamp["verdict"] = written.counts.scored == written.counts.total() ? "complete" : "failures";
  store::write_stamp(paths, stamp);
  return written;
}

}  // namespace snellen::run
