// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/import/imported.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/print.h"
#include "snellen/base/nearest.h"
#include "snellen/report/summary.h"
#include "snellen/store/run_folder.h"

namespace snellen::cli {
namespace {

constexpr size_t kMostMetrics = 60;
constexpr int kFailedItems = 4;

struct Found {
  std::string name;
  bool is_share = true;  // every value is 0 or 1
};

std::vector<Found> metrics_in(const std::vector<LoggedSample>& logged) {
  std::map<std::string, bool> by_name;
  for (const LoggedSample& sample : logged) {
    for (const auto& [name, value] : sample.values) {
      bool& is_share = by_name.emplace(name, true).first->second;
      is_share = is_share && (value == 0 || value == 1);
    }
  }
  std::vector<Found> found;
  for (const auto& [name, is_share] : by_name) found.push_back({name, is_share});
  return found;
}

// The metric that decides first, then the others.
std::vector<Found> ordered_metrics(std::vector<Found> found, const ImportFlags& flags) {
  std::vector<std::string> names;
  for (const Found& one : found) names.push_back(one.name);
  if (found.empty())
    throw Error{ErrorCode::kInvalidInput,
                "no sample has a value that is a number",
                flags.log,
                "give a log that was written with its scores"};
  if (flags.metric.empty() && found.size() > 1) {
    throw Error{ErrorCode::kUsage,
                fmt::format("the log has {} metrics", found.size()),
                flags.log,
                fmt::format("name the one that says what is right with --metric: {}",
                            fmt::join(names, ", "))};
  }
  const std::string wanted = flags.metric.empty() ? names.front() : flags.metric;
  auto place = std::find_if(
      found.begin(), found.end(), [&](const Found& one) { return one.name == wanted; });
  if (place == found.end()) {
    throw Error{ErrorCode::kUsage,
                fmt::format("the log has no metric '{}'", wanted),
                "--metric",
                fmt::format("it has {}", fmt::join(names, ", "))};
  }
  std::rotate(found.begin(), place, place + 1);
  if (found.size() > kMostMetrics) found.resize(kMostMetrics);
  return found;
}

// Repeats of an item as ITEM#2, ITEM#3 ...; another item may have such a name already.
class ItemNames {
 public:
  explicit ItemNames(const std::vector<LoggedSample>& logged) {
    for (const LoggedSample& sample : logged) taken_.insert(sample.item);
  }

  std::string next(const std::string& item) {
    const size_t repeat = ++repeats_[item];
    if (repeat == 1) return item;
    std::string name = fmt::format("{}#{}", item, repeat);
    while (!taken_.insert(name).second) name += '#';
    return name;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, size_t> repeats_;
};

store::Sample sample_of(LoggedSample&& logged,
                        const std::vector<Found>& metrics,
                        std::string item) {
  store::Sample sample;
  sample.item = std::move(item);
  sample.clusters = {logged.item};
  if (!logged.input.empty()) sample.texts.push_back(std::move(logged.input));
  for (std::string& text : logged.texts) sample.texts.push_back(std::move(text));
  sample.answers = std::move(logged.answers);
  for (const Found& metric : metrics) {
    auto value = std::find_if(logged.values.begin(), logged.values.end(), [&](const auto& one) {
      return one.first == metric.name;
    });
    sample.values.push_back(value == logged.values.end() ? std::nan("") : value->second);
  }
  if (std::isnan(sample.values.front())) {
    sample.status = store::SampleStatus::kFailed;
    sample.values.clear();
    sample.error = Error{
        ErrorCode::kInvalidInput,
        logged.error.empty() ? fmt::format("has no '{}'", metrics.front().name) : logged.error,
        logged.item};
  } else if (metrics.front().is_share) {
    sample.is_correct = sample.values.front() == 1;
  }
  return sample;
}

}  // namespace

std::vector<config::Option> import_options(const char* log_help) {
  using config::option;
  using S = ImportFlags;
  return {option(&S::log, "log", log_help).positional().required(),
          option(&S::metric, "metric", "the logged value that says whether a sample is right"),
          option(&S::name, "name", "name of the model (default: as the log says)"),
          option(&S::task, "task", "name of the task (default: as the log says)"),
          option(&S::output, "output", "folder for the run folder").value("DIR")};
}

std::optional<double> logged_number(const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number()) {
    const double number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  }
  if (!value.is_string()) return std::nullopt;
  const std::string& word = value.get_ref<const std::string&>();
  if (word == "C") return 1;
  if (word == "I" || word == "N") return 0;
  if (word == "P") return 0.5;
  return std::nullopt;
}

void add_logged_values(const std::string& name, const nlohmann::json& value, LoggedSample& sample) {
  if (sample.values.size() >= kMostMetrics) return;
  if (const std::optional<double> number = logged_number(value)) {
    sample.values.emplace_back(name, *number);
  } else if (value.is_object()) {
    for (const auto& [member, below] : value.items()) {
      if (const std::optional<double> inner = logged_number(below))
        sample.values.emplace_back(fmt::format("{}.{}", name, member), *inner);
    }
  }
}

int write_imported(const Context& context,
                   const ImportFlags& flags,
                   const std::string& source,
                   std::vector<LoggedSample> logged,
                   std::vector<std::string> notes) {
  const std::vector<Found> metrics = ordered_metrics(metrics_in(logged), flags);
  run::ImportedRun run{.source = source,
                       .model = flags.name,
                       .task = store::TaskRecord{.name = flags.task, .parts = {}, .columns = {}},
                       .samples = {},
                       .inputs = {flags.log},
                       .notes = std::move(notes),
                       .command = context.command};
  for (const Found& metric : metrics)
    run.task.columns.push_back({.name = metric.name, .is_share = metric.is_share});
  ItemNames names(logged);
  for (LoggedSample& sample : logged) {
    std::string item = names.next(sample.item);
    run.samples.push_back(sample_of(std::move(sample), metrics, std::move(item)));
  }
  for (const std::string& note : run.notes)
    if (!context.wants_json) print_note("snellen: {}\n", note);
  const run::ImportedFolder written = run::write_imported_run(std::move(run), flags.output);
  if (context.wants_json) {
    fmt::print(
        "{}\n",
        store::json_text(
            {{"folder", written.folder.string()},
             {"scored", written.counts.scored},
             {"failed", written.counts.failed},
             {"results", nlohmann::ordered_json::parse(store::results_to_json(written.results))}}));
  } else {
    fmt::print("{}\nwritten to {}\n{} scored, {} without a value\n",
               report::metrics_text(written.results, /*with_breakdowns=*/false, kTextWidth),
               written.folder.string(),
               written.counts.scored,
               written.counts.failed);
  }
  return written.counts.failed > 0 ? kFailedItems : 0;
}

}  // namespace snellen::cli
