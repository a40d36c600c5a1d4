// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/verify.h"

#include <map>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/run/measure.h"
#include "snellen/store/results.h"
#include "snellen/store/run_folder.h"
#include "snellen/store/samples.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void verify_files(const Json& stamp, const store::RunPaths& paths, Verification& found) {
  for (const auto& [name, hash] : stamp.value("files", Json::object()).items()) {
    ++found.num_checks;
    if (!stays_inside(name)) {
      found.differences.push_back(fmt::format("{}: the stamp names a file outside the run folder", name));
    } else if (!fs::exists(paths.folder / name)) {
      found.differences.push_back(fmt::format("{}: missing", name));
    } else if (sha256_of_file(paths.folder / name) != hash) {
      found.differences.push_back(fmt::format("{}: its bytes differ from the stamp", name));
    }
  }
}

MeasureOptions measure_options(const Json& settings) {
  auto number = [&](const char* name, double otherwise) { return settings.contains(name) ? std::stod(settings[name].get<std::string>()) : otherwise; };
  return {.confidence = number("confidence", 0.95),
          .bootstrap = static_cast<uint64_t>(number("bootstrap", 0)),
          .seed = static_cast<uint64_t>(number("seed", 0)),
          .num_threads = 1};
}

void verify_metrics(const Json& stamp, const store::RunPaths& paths, store::Samples& samples, Verification& found) {
  store::Results stored = store::read_results(paths.results());
  store::Results recomputed{stored.run, measure(samples, measure_options(stamp.value("settings", Json::object())))};
  std::map<std::string, std::string> lines;
  auto line_of = [](const metrics::Measurement& one) { return store::results_to_json({"", {one}}); };
  for (const metrics::Measurement& one : recomputed.metrics) lines[one.id] = line_of(one);
  for (const metrics::Measurement& one : stored.metrics) {
    ++found.num_checks;
    auto again = lines.find(one.id);
    if (again == lines.end()) {
      found.differences.push_back(fmt::format("{}: in results.json but not in samples.db", one.id));
      continue;
    }
    if (again->second != line_of(one)) {
      store::Results now = store::results_from_json(again->second, "samples.db");
      found.differences.push_back(fmt::format("{}: results.json has {} (n {}), samples.db gives {} (n {})", one.id, one.value, one.n,
                                              now.metrics[0].value, now.metrics[0].n));
    }
    lines.erase(again);
  }
  for (const auto& [id, line] : lines) found.differences.push_back(fmt::format("{}: in samples.db but not in results.json", id));
}

void verify_inputs(const Json& stamp, Verification& found) {
  fs::path data = stamp.value("settings", Json::object()).value("data", ".");
  for (const auto& [task, facts] : stamp.value("identity", Json::object()).value("tasks", Json::object()).items()) {
    for (const auto& [name, hash] : facts.value("inputs", Json::object()).items()) {
      fs::path path = data / name;
      if (!fs::exists(path)) {
        found.unchecked.push_back(fmt::format("{} input {}: not at {} any more", task, name, data.string()));
        continue;
      }
      ++found.num_checks;
      if (sha256_of_file(path) != hash) found.differences.push_back(fmt::format("{} input {}: changed since the run", task, path.string()));
    }
  }
}

}  // namespace

Verification verify_run(const fs::path& folder) {
  store::RunPaths paths(folder);
  Verification found;
  try {
    Json stamp = store::read_stamp(paths);
    std::string verdict = stamp.value("verdict", "unknown");
    if (verdict != "complete" && verdict != "failures") {
      found.differences.push_back(fmt::format("the run is {}: run its command again to finish it", verdict));
      return found;
    }
    store::Samples samples = store::Samples::open_to_read(paths.samples());
    verify_files(stamp, paths, found);
    ++found.num_checks;
    if (samples.digest() != stamp.value("samples_sha256", "")) found.differences.emplace_back("samples.db: its rows differ from the stamp");
    verify_metrics(stamp, paths, samples, found);
    verify_inputs(stamp, found);
  } catch (const nlohmann::json::exception& error) {
    throw Error{ErrorCode::kInvalidInput, fmt::format("run.json is malformed: {}", error.what()), paths.stamp().string(), "restore it, or run again with --overwrite"};
  }
  return found;
}

}  // namespace snellen::run
