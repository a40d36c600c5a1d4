// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/pages/report_input.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/report/pages/metric_rules.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;
constexpr size_t kMostFolders = 20'000;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Visits a folder and those below it, by path; a run folder is not searched further.
void walk(const fs::path& folder,
          int depth,
          size_t& num_left,
          const std::function<void(const fs::path&)>& visit) {
  if (num_left == 0) return;
  --num_left;
  visit(folder);
  if (depth == kDeepest || is_file(folder / "run.json")) return;
  std::vector<fs::path> below;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
    std::error_code ignored;
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored) &&
        !entry.path().filename().string().starts_with('.'))
      below.push_back(entry.path());
  }
  std::sort(below.begin(), below.end());
  for (const fs::path& next : below) walk(next, depth + 1, num_left, visit);
}

std::string name_of(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string();
}

// "refs_S_full_val.json": the files of `build densevisdial`.
bool has_reference_sets(const fs::path& folder) {
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
    if (const std::string name = entry.path().filename().string();
        name.starts_with("refs_") && name.ends_with(".json"))
      return true;
  return false;
}

class Reader {
 public:
  void read(const fs::path& folder) {
    if (!fs::exists(folder))
      throw Error{ErrorCode::kNotFound, "no such folder", folder.string(), "give a run folder"};
    size_t num_left = kMostFolders;
    walk(folder, 0, num_left, [&](const fs::path& one) { look_at(one); });
    if (num_left == 0)
      input.notes.push_back(fmt::format(
          "{}: only the first {} folders were looked at", folder.string(), kMostFolders));
  }

  ReportInput input;

 private:
  void look_at(const fs::path& folder) {
    if (is_file(folder / "run.json") || is_file(folder / "samples.db")) add_run(folder);
    if (is_file(folder / "train.jsonl"))
      input.trainings.push_back({name_of(folder), folder / "train.jsonl"});
    if (is_file(folder / "curve.json"))
      input.sweeps.push_back({name_of(folder), folder / "curve.json"});
    // Other builders write statistics of their own under that name; these have sets beside them.
    if (is_file(folder / "statistics.json") && has_reference_sets(folder))
      input.set_statistics.push_back({name_of(folder), folder / "statistics.json"});
  }

  void add_run(const fs::path& folder) {
    ReportRun run{.stored = StoredRun{.paths = store::RunPaths(folder), .stamp = {}},
                  .name = name_of(folder),
                  .label = {}};
    try {
      run.stored = read_stored_run(folder);
    } catch (const Error& error) {
      run.stored.verdict = "unknown";
      run.missing.push_back(fmt::format("run.json: {}", error.message()));
    }
    if (run.stored.model.empty()) run.stored.model = run.name;
    try {
      run.results = store::read_results(run.stored.paths.results());
    } catch (const Error& error) {
      run.missing.push_back(fmt::format("results.json: {}", error.message()));
    }
    if (!run.stored.is_finished())
      run.missing.push_back(
          fmt::format("the run is {}: its numbers may be of some items only", run.stored.verdict));
    run.label = label_of(run);
    for (const std::string& what : run.missing)
      input.notes.push_back(fmt::format("{}: {}", run.name, what));
    input.runs.push_back(std::move(run));
  }

  // The model's name, unless a run of that label measured the same.
  std::string label_of(const ReportRun& run) const {
    std::string label = fit_text(run.stored.model, 48);
    for (const metrics::Measurement& one : run.results.metrics) {
      if (input.find(label, one.id) != nullptr) return fit_text(run.name, 64);
    }
    return label;
  }
};

bool is_breakdown(std::string_view id) {
  return id.find("/by-") != std::string_view::npos;
}

}  // namespace

std::vector<std::string> ReportInput::labels() const {
  std::vector<std::string> labels;
  for (const ReportRun& run : runs) {
    if (std::find(labels.begin(), labels.end(), run.label) == labels.end())
      labels.push_back(run.label);
  }
  return labels;
}

const metrics::Measurement* ReportRun::find(std::string_view id) const {
  const auto& all = results.metrics;
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const metrics::Measurement& one) { return one.id == id; });
  return found != all.end() ? &*found : nullptr;
}

const metrics::Measurement* ReportInput::find(const std::string& label,
                                              const std::string& id) const {
  for (const ReportRun& run : runs) {
    if (run.label != label) continue;
    if (const metrics::Measurement* found = run.find(id)) return found;
  }
  return nullptr;
}

std::optional<double> ReportInput::chance(const std::string& label, const std::string& id) const {
  if (const metrics::Measurement* own = find(label, id); own && own->chance) return own->chance;
  const metrics::Measurement* measured = find(label, id + "_chance");
  return measured ? std::optional(measured->value) : std::nullopt;
}

std::vector<std::string> ReportInput::ids(std::string_view start, std::string_view end) const {
  std::set<std::string> found;
  for (const ReportRun& run : runs) {
    for (const metrics::Measurement& one : run.results.metrics) {
      if (one.id.starts_with(start) && one.id.ends_with(end)) found.insert(one.id);
    }
  }
  return {found.begin(), found.end()};
}

ReportInput read_report_input(std::span<const fs::path> folders) {
  Reader reader;
  for (const fs::path& folder : folders) reader.read(folder);
  ReportInput& input = reader.input;
  if (input.runs.empty() && input.trainings.empty() && input.sweeps.empty() &&
      input.set_statistics.empty()) {
    throw Error{ErrorCode::kNotFound,
                "holds no run folder",
                folders.empty() ? "" : folders.front().string(),
                "give a folder with run.json in it, or one that holds such folders"};
  }
  return std::move(input);
}

std::vector<fs::path> find_run_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  size_t num_left = kMostFolders;
  walk(folder, 0, num_left, [&](const fs::path& one) {
    if (is_file(one / "run.json") || is_file(one / "samples.db")) found.push_back(one);
  });
  return found;
}

std::vector<ReportFile> find_trainings(const fs::path& folder) {
  std::vector<ReportFile> found;
  size_t num_left = kMostFolders;
  walk(folder, 0, num_left, [&](const fs::path& one) {
    if (is_file(one / "train.jsonl")) found.push_back({name_of(one), one / "train.jsonl"});
  });
  return found;
}

std::vector<std::string> headline_ids(const store::Results& results) {
  std::vector<std::string> ids;
  std::set<std::string> tasks;  // that have one
  auto task_of = [](const std::string& id) { return id.substr(0, id.find('/')); };
  for (const MetricRule& headline : headline_rules()) {
    for (const metrics::Measurement& one : results.metrics) {
      if (!headline.names(one.id) || is_breakdown(one.id)) continue;
      ids.push_back(one.id);
      tasks.insert(task_of(one.id));
    }
  }
  // A task of a user: its accuracy, else its first metric.
  for (const metrics::Measurement& one : results.metrics) {
    const std::string task = task_of(one.id);
    if (tasks.contains(task) || is_breakdown(one.id)) continue;
    tasks.insert(task);
    auto accuracy = std::find_if(
        results.metrics.begin(), results.metrics.end(), [&](const metrics::Measurement& other) {
          return other.id == task + "/acc" || other.id == task + "/accuracy";
        });
    ids.push_back(accuracy == results.metrics.end() ? one.id : accuracy->id);
  }
  return ids;
}

}  // namespace snellen::report
