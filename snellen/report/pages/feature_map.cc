// SPDX-License-Identifier: Apache-2.0
// Probe-R, docs/spec/probe.md 9: figure 3 right, a map of the features that runs kept.
#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/formats/json.h"
#include "snellen/formats/npy.h"
#include "snellen/report/charts/scatter_chart.h"
#include "snellen/report/pages/figure.h"
#include "snellen/stats/tsne.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostMaps = 6;
constexpr size_t kMostRows = 20'000;  // of a map; more would take minutes and show no more
constexpr size_t kMostKinds = 6;
constexpr const char* kTask = "probe-r";

struct Kept {
  std::vector<std::string> kinds;
  std::vector<std::string> items;
  std::vector<float> values;  // of the first `items`
  size_t num_left_out = 0;    // items beyond kMostRows
  std::string key;            // of what they are
};

// Nothing where a run kept none. Throws kInvalidInput for files that do not fit together.
std::optional<Kept> kept_features(const fs::path& folder) {
  const fs::path facts = folder / fmt::format("{}.json", kTask);
  const fs::path rows = folder / fmt::format("{}.npy", kTask);
  if (!fs::exists(facts)) return std::nullopt;
  const nlohmann::json json = formats::parse_json_object(read_text_file(facts), facts.string());
  auto texts = [&](const char* key) {
    std::vector<std::string> all;
    for (const nlohmann::json& one : json.value(key, nlohmann::json::array()))
      if (one.is_string()) all.push_back(one.get<std::string>());
    return all;
  };
  Kept kept{.kinds = texts("kinds"), .items = texts("items"), .values = {}, .key = {}};
  const formats::NpyMatrix matrix = formats::read_npy_matrix(rows);
  const bool fits = !kept.kinds.empty() && kept.kinds.size() <= kMostKinds &&
                    matrix.num_rows == kept.kinds.size() * kept.items.size() && matrix.num_rows > 0;
  const bool is_finite = std::all_of(
      matrix.values.begin(), matrix.values.end(), [](double one) { return std::isfinite(one); });
  if (!fits || !is_finite)
    throw Error{ErrorCode::kInvalidInput,
                "does not fit its list of items",
                rows.string(),
                "delete the features folder, or run again"};
  const size_t num_items = std::min(kept.items.size(), kMostRows / kept.kinds.size());
  kept.num_left_out = kept.items.size() - num_items;
  kept.items.resize(num_items);
  const size_t num_values = num_items * kept.kinds.size() * matrix.num_columns;
  kept.values.assign(matrix.values.begin(),
                     matrix.values.begin() + static_cast<ptrdiff_t>(num_values));
  kept.key = sha256_hex("tsne 1\n" + sha256_of_file(rows)).substr(0, 32);
  return kept;
}

std::vector<stats::Point2> kept_places(const fs::path& file, size_t count) {
  std::vector<stats::Point2> places;
  try {
    const formats::NpyMatrix matrix = formats::read_npy_matrix(file);
    if (matrix.num_rows != count || matrix.num_columns != 2) return {};
    for (size_t i = 0; i < count; ++i)
      places.push_back({matrix.values[2 * i], matrix.values[2 * i + 1]});
  } catch (const Error&) {
    return {};
  }
  return places;
}

// Computed once for the same features, and kept in `folder` unless that is empty.
std::vector<stats::Point2> places_of(const Kept& kept, const fs::path& folder) {
  const size_t count = kept.kinds.size() * kept.items.size();
  const fs::path file = folder / (kept.key + ".npy");
  if (!folder.empty() && fs::exists(file)) {
    std::vector<stats::Point2> places = kept_places(file, count);
    if (!places.empty()) return places;
  }
  const std::vector<stats::Point2> places = stats::tsne(
      kept.values, count, {.num_threads = std::max(1U, std::thread::hardware_concurrency())});
  if (!folder.empty()) {
    std::vector<double> flat;
    for (const stats::Point2& place : places) flat.insert(flat.end(), {place.x, place.y});
    try {
      fs::create_directories(folder);
      formats::write_npy(file, std::span<const double>(flat), count, 2);
    } catch (const std::exception&) {
      // Computed again next time.
    }
  }
  return places;
}

}  // namespace

std::vector<Figure> feature_figures(const ReportInput& input, std::vector<std::string>& notes) {
  std::vector<ScatterChart> charts;
  std::vector<std::string> kinds;  // of all runs: a colour each
  Table numbers({{"model"}, {"item"}, {"kind"}, {"x", true}, {"y", true}});
  std::vector<std::string> undrawn;  // runs beyond kMostMaps
  for (const ReportRun& run : input.runs) {
    if (charts.size() == kMostMaps) {
      if (fs::exists(run.stored.paths.folder / "features" / fmt::format("{}.json", kTask)))
        undrawn.push_back(fit_text(run.name));
      continue;
    }
    std::optional<Kept> kept;
    try {
      kept = kept_features(run.stored.paths.folder / "features");
    } catch (const Error& error) {
      notes.push_back(fmt::format("{}: its features: {}", run.name, error.message()));
    }
    if (!kept) continue;
    ScatterChart chart{.title = run.label,
                       .subtitle = kept->num_left_out == 0
                                       ? fmt::format("{} groups", kept->items.size())
                                       : fmt::format("the first {} of {} groups",
                                                     kept->items.size(),
                                                     kept->items.size() + kept->num_left_out),
                       .kinds = {}};
    std::vector<size_t> colours;
    for (const std::string& kind : kept->kinds) {
      const auto found = std::find(kinds.begin(), kinds.end(), kind);
      colours.push_back(static_cast<size_t>(found - kinds.begin()));
      if (found == kinds.end()) kinds.push_back(kind);
    }
    const std::vector<stats::Point2> places = places_of(*kept, input.map_folder);
    for (size_t i = 0; i < places.size(); ++i) {
      const size_t kind = i % kept->kinds.size(), item = i / kept->kinds.size();
      chart.points.push_back({places[i].x, places[i].y, colours[kind]});
      numbers.add({run.label,
                   kept->items[item],
                   kept->kinds[kind],
                   fmt::format("{}", places[i].x),
                   fmt::format("{}", places[i].y)});
    }
    charts.push_back(std::move(chart));
  }
  if (!undrawn.empty())
    notes.push_back(fmt::format("features: a map has room for {} runs; not drawn: {}",
                                kMostMaps,
                                fmt::join(undrawn, ", ")));
  if (charts.empty()) return {};
  for (ScatterChart& chart : charts) chart.kinds = kinds;
  return {
      Figure{"probe-r-features",
             "Features of relations (Probe-R)",
             "t-SNE of the anchor with its true predicate (R1) and with a swapped one (R2), as "
             "in figure 3 (right) of the paper: perplexity 30, 1,000 iterations, seed 0. Models "
             "with two towers have a feature for the picture and one for each text; models that "
             "look at both together have one for each pair. Only which points are neighbours "
             "means something, not how far groups are apart.",
             scatter_as_svg(charts),
             std::move(numbers),
             /*has_many_numbers=*/true}};
}

}  // namespace snellen::report
