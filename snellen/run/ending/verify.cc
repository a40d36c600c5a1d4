// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/verify.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/base/cores.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/control/rung_folders.h"
#include "snellen/run/ending/measure.h"
#include "snellen/run/engine/visual_files.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/stamp.h"
#include "snellen/store/results.h"
#include "snellen/store/run_folder.h"
#include "snellen/store/samples.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void verify_files(const Json& stamp, const store::RunPaths& paths, Verification& found) {
  Json files = stamp.value("files", Json::object());
  for (const auto& [name, hash] : files.items()) {
    ++found.num_checks;
    if (!stays_inside(name)) {
      found.differences.push_back(
          fmt::format("{}: the stamp names a file outside the run folder", name));
    } else if (!fs::exists(paths.folder / name)) {
      found.differences.push_back(fmt::format("{}: missing", name));
    } else if (sha256_of_file(paths.folder / name) != hash) {
      found.differences.push_back(fmt::format("{}: its bytes differ from the stamp", name));
    }
  }
}

// Recomputed metrics by id. Without the annotations only the means of the columns can be had.
std::map<std::string, metrics::Measurement> recompute(const Json& stamp,
                                                      store::Samples& samples,
                                                      const Catalogue& catalogue,
                                                      bool& has_pooled) {
  config::Options options = options_of(stamp, catalogue, "run.json");
  RunSettings settings = settings_of(options, catalogue);
  std::vector<metrics::Measurement> all;
  try {
    all = all_metrics(open_tasks(catalogue, options, settings), settings, samples);
  } catch (const Error&) {
    has_pooled = false;
    all = measure(samples, measure_options(settings));
  }
  std::map<std::string, metrics::Measurement> by_id;
  for (metrics::Measurement& one : all) by_id.emplace(one.id, std::move(one));
  return by_id;
}

void verify_metrics(const Json& stamp,
                    const store::RunPaths& paths,
                    store::Samples& samples,
                    const Catalogue& catalogue,
                    Verification& found) {
  store::Results stored = store::read_results(paths.results());
  bool has_pooled = true;
  std::map<std::string, metrics::Measurement> recomputed =
      recompute(stamp, samples, catalogue, has_pooled);
  // Programs before schema 2 made intervals by other rules, and knew the chance level of fewer
  // metrics: there the values alone are compared.
  const bool has_these_intervals = samples.schema() > 1;
  if (!has_these_intervals)
    found.unchecked.push_back("intervals: an older program made them by other rules");
  auto line_of = [&](metrics::Measurement one) {
    if (!has_these_intervals) {
      one.low = one.high = one.chance = std::nullopt;
      one.interval = one.reason = "";
    }
    return store::results_to_json({"", {std::move(one)}});
  };
  for (const metrics::Measurement& one : stored.metrics) {
    auto again = recomputed.find(one.id);
    if (again == recomputed.end()) {
      (has_pooled ? found.differences : found.unchecked)
          .push_back(fmt::format("{}: in results.json but not in samples.db", one.id));
      continue;
    }
    ++found.num_checks;
    if (line_of(again->second) != line_of(one)) {
      found.differences.push_back(
          fmt::format("{}: results.json has {} (n {}), samples.db gives {} (n {})",
                      one.id,
                      one.value,
                      one.n,
                      again->second.value,
                      again->second.n));
    }
    recomputed.erase(again);
  }
  for (const auto& [id, one] : recomputed)
    found.differences.push_back(fmt::format("{}: in samples.db but not in results.json", id));
}

// The files that were shown, where they still are.
void verify_shown(store::Samples& samples, Verification& found) {
  const ShownFilesReport report = check_shown_files(samples, num_cores());
  found.num_checks += static_cast<int>(report.num_checked);
  for (const std::string& path : report.changed)
    found.differences.push_back(fmt::format("{}: changed since the run", path));
  if (report.num_gone > 0)
    found.unchecked.push_back(
        fmt::format("{} pictures or videos are not where they were", report.num_gone));
}

void verify_inputs(const Json& stamp, Verification& found) {
  fs::path data = stamp.value("settings", Json::object()).value("data", ".");
  Json tasks = stamp.value("identity", Json::object()).value("tasks", Json::object());
  Json paths = stamp.value("input_paths", Json::object());
  for (const auto& [task, facts] : tasks.items()) {
    Json inputs = facts.value("inputs", Json::object());
    for (const auto& [name, hash] : inputs.items()) {
      fs::path path = paths.value(task, Json::object()).value(name, (data / name).string());
      if (!fs::exists(path)) {
        found.unchecked.push_back(
            fmt::format("{} input {}: not at {} any more", task, name, path.string()));
        continue;
      }
      ++found.num_checks;
      if (sha256_of_file(path) != hash)
        found.differences.push_back(
            fmt::format("{} input {}: changed since the run", task, path.string()));
    }
  }
}

// Each rung of the run's controls is a run folder of its own.
void verify_rungs(const store::RunPaths& paths, const Catalogue& catalogue, Verification& found) {
  const fs::path folder = control_folder(paths.folder);
  if (!fs::is_directory(folder)) return;
  std::vector<fs::path> rungs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) rungs.push_back(entry.path());
  }
  std::sort(rungs.begin(), rungs.end());
  for (const fs::path& rung : rungs) {
    const Verification one = verify_run(rung, catalogue);
    const std::string name = fs::relative(rung, paths.folder).string();
    found.num_checks += one.num_checks;
    for (const std::string& line : one.differences)
      found.differences.push_back(fmt::format("{}: {}", name, line));
    for (const std::string& line : one.unchecked)
      found.unchecked.push_back(fmt::format("{}: {}", name, line));
  }
}

}  // namespace

Verification verify_run(const fs::path& folder, const Catalogue& catalogue) {
  store::RunPaths paths(folder);
  Verification found;
  try {
    Json stamp = store::read_stamp(paths);
    std::string verdict = stamp.value("verdict", "unknown");
    if (verdict != "complete" && verdict != "failures") {
      found.differences.push_back(
          fmt::format("the run is {}: run its command again to finish it", verdict));
      return found;
    }
    store::Samples samples = store::Samples::open_to_read(paths.samples());
    verify_files(stamp, paths, found);
    ++found.num_checks;
    if (samples.digest() != stamp.value("samples_sha256", ""))
      found.differences.emplace_back("samples.db: its rows differ from the stamp");
    verify_metrics(stamp, paths, samples, catalogue, found);
    verify_shown(samples, found);
    verify_inputs(stamp, found);
    verify_rungs(paths, catalogue, found);
  } catch (const nlohmann::json::exception& error) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("run.json is malformed: {}", error.what()),
                paths.stamp().string(),
                "restore it, or run again with --overwrite"};
  }
  return found;
}

}  // namespace snellen::run
