// SPDX-License-Identifier: Apache-2.0
// VisDial, docs/spec/visdial.md 5.5: how large reference sets are, and how they agree with
// people's.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/report/pages/figure.h"
#include "snellen/report/pages/visdial_sets.h"
#include "snellen/stats/interval.h"

namespace snellen::report {
namespace {

struct Bin {
  size_t least, most;

  std::string name() const {
    return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  }
};
constexpr auto kBins = std::to_array<Bin>(
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 5}, {6, 10}, {11, 20}, {21, 50}, {51, 100}});

// The share of rounds in every bin, and in the numbers of the figure every size that occurs.
std::optional<Figure> sizes_figure(const std::vector<SetSizes>& all,
                                   std::string name,
                                   std::string title) {
  BarChart chart{.title = "Rounds by the number of members of their set",
                 .subtitle = "95 % intervals"};
  Figure figure{std::move(name),
                std::move(title),
                "A set of one holds the recorded answer alone. Intervals take rounds as "
                "independent. The numbers have every size on its own.",
                "",
                numbers_table()};
  figure.has_many_numbers = true;
  for (const Bin& bin : kBins) chart.groups.push_back(bin.name());
  for (const SetSizes& sizes : all) {
    uint64_t total = 0;  // of rounds
    for (const uint64_t count : sizes.rounds) total += count;
    if (total == 0) continue;
    auto share = [&](uint64_t count, const std::string& id) {
      metrics::Measurement one{
          .id = id, .value = static_cast<double>(count) / static_cast<double>(total), .n = total};
      if (const auto interval = stats::wilson(count, total, 0.95)) {
        one.low = interval->low;
        one.high = interval->high;
      }
      return one;
    };
    BarSeries series{sizes.name, {}};
    for (const Bin& bin : kBins) {
      uint64_t count = 0;
      for (size_t size = bin.least; size <= bin.most; ++size) count += sizes.rounds[size];
      series.bars.push_back(bar_of(share(count, bin.name()), std::nullopt));
    }
    for (size_t size = 0; size < sizes.rounds.size(); ++size)
      if (sizes.rounds[size] > 0) {
        const metrics::Measurement one =
            share(sizes.rounds[size], fmt::format("share of sets of {}", size));
        add_number(figure.numbers, sizes.name, one.id, one, std::nullopt);
      }
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return std::nullopt;
  figure.svg = bars_as_svg(std::span(&chart, 1));
  return figure;
}

// "visdial-sets/FILE/iou": the files.
std::vector<std::string> files_of(const ReportRun& run) {
  const std::string start = "visdial-sets/", end = "/iou";
  std::vector<std::string> files;
  for (const metrics::Measurement& one : run.results.metrics)
    if (one.id.starts_with(start) && one.id.ends_with(end) &&
        one.id.size() > start.size() + end.size())
      files.push_back(one.id.substr(start.size(), one.id.size() - start.size() - end.size()));
  return files;
}

constexpr auto kMeasures =
    std::to_array<std::pair<const char*, const char*>>({{"precision", "precision"},
                                                        {"recall", "recall"},
                                                        {"IOU", "iou"},
                                                        {"recorded answer inside", "has_given"}});

std::optional<Figure> overlap_figure(const ReportRun& run, size_t number) {
  BarChart chart{.title = "Agreement with the sets of people", .subtitle = "95 % intervals"};
  Figure figure{
      fmt::format("visdial-set-overlap-{}", number),
      fmt::format("Reference sets beside people's: {}", fit_text(run.name)),
      "Means over rounds that people judged; intervals take the rounds of a picture together.",
      "",
      numbers_table()};
  for (const auto& [name, column] : kMeasures) chart.groups.emplace_back(name);
  for (const std::string& file : files_of(run)) {
    BarSeries series{fit_text(file), {}};
    for (const auto& [name, column] : kMeasures) {
      const std::string id = fmt::format("visdial-sets/{}/{}", file, column);
      figure.asked.push_back(id);
      const metrics::Measurement* one = run.find(id);
      series.bars.push_back(one ? bar_of(*one, std::nullopt) : Bar{.value = std::nan("")});
      if (one) add_number(figure.numbers, run.label, id, *one, std::nullopt);
    }
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return std::nullopt;
  figure.svg = bars_as_svg(std::span(&chart, 1));
  return figure;
}

}  // namespace

std::vector<Figure> visdial_figures(const ReportInput& input, std::vector<std::string>& notes) {
  std::vector<Figure> figures;
  auto keep = [&](std::optional<Figure> figure) {
    if (figure) figures.push_back(std::move(*figure));
  };
  size_t number = 0;
  for (const ReportRun& run : input.runs) {
    if (!has_sets(run)) continue;
    ++number;
    try {
      keep(sizes_figure(measured_set_sizes(run),
                        fmt::format("visdial-set-sizes-{}", number),
                        fmt::format("Sizes of reference sets: {}", fit_text(run.name))));
    } catch (const Error& error) {
      notes.push_back(fmt::format("{}: samples.db: {}", run.name, error.message()));
    }
    keep(overlap_figure(run, number));
  }
  for (size_t i = 0; i < input.set_statistics.size(); ++i) {
    const ReportFile& file = input.set_statistics[i];
    try {
      keep(sizes_figure(built_set_sizes(file.path),
                        fmt::format("visdial-built-sizes-{}", i + 1),
                        fmt::format("Sizes of reference sets by rule: {}", fit_text(file.name))));
    } catch (const Error& error) {
      notes.push_back(fmt::format("{}: statistics.json: {}", fit_text(file.name), error.message()));
    }
  }
  return figures;
}

}  // namespace snellen::report
