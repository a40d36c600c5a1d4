// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/sample_lines.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "snellen/formats/csv.h"

namespace snellen::report {
namespace {

using Json = nlohmann::ordered_json;

std::string part_of(const store::TaskRecord& task, const store::Sample& sample) {
  return sample.part < task.parts.size() ? task.parts[sample.part].name : "";
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

std::string digits(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

}  // namespace

std::string sample_csv_header() {
  return "task,part,item,category,status,correct,margin,ties,texts,pictures,scores,answers,"
         "reason\n";
}

std::string sample_csv_line(const store::TaskRecord& task, const store::Sample& sample) {
  std::vector<std::string> pictures, scores;
  for (const store::ShownVisual& visual : sample.visuals) pictures.push_back(visual.path);
  for (const double score : sample.scores) scores.push_back(digits(score));
  std::string line;
  auto add = [&](std::string_view text) {
    if (!line.empty()) line += ',';
    line += formats::csv_field(text);
  };
  add(task.name);
  add(part_of(task, sample));
  add(sample.item);
  add(sample.category);
  add(name_of(sample.status));
  add(sample.is_correct ? (*sample.is_correct ? "1" : "0") : "");
  add(digits(sample.margin));
  add(std::to_string(sample.ties));
  add(fmt::format("{}", fmt::join(sample.texts, " | ")));
  add(fmt::format("{}", fmt::join(pictures, " | ")));
  add(fmt::format("{}", fmt::join(scores, " | ")));
  add(fmt::format("{}", fmt::join(sample.answers, " | ")));
  add(sample.error ? sample.error->message() : "");
  return line + "\n";
}

std::string sample_json_line(const store::TaskRecord& task, const store::Sample& sample) {
  Json pictures = Json::array();
  for (const store::ShownVisual& visual : sample.visuals) pictures.push_back(visual.path);
  Json values = Json::object();
  for (size_t i = 0; i < std::min(sample.values.size(), task.columns.size()); ++i)
    values[task.columns[i].name] = number(sample.values[i]);
  const Json line = {{"task", task.name},
                     {"part", part_of(task, sample)},
                     {"item", sample.item},
                     {"category", sample.category},
                     {"status", name_of(sample.status)},
                     {"correct", sample.is_correct ? Json(*sample.is_correct) : Json()},
                     {"margin", number(sample.margin)},
                     {"ties", sample.ties},
                     {"texts", sample.texts},
                     {"pictures", std::move(pictures)},
                     {"scores", numbers(sample.scores)},
                     {"values", std::move(values)},
                     {"answers", sample.answers},
                     {"reason", sample.error ? Json(sample.error->message()) : Json()}};
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

uint64_t write_sample_lines(const std::filesystem::path& path,
                            LineFormat format,
                            const std::function<void(std::string_view)>& write) {
  store::Samples samples = store::Samples::open_to_read(path);
  const std::vector<store::TaskRecord> tasks = samples.tasks();
  uint64_t count = 0;
  if (format == LineFormat::kCsv) write(sample_csv_header());
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    samples.for_each(
        task,
        std::nullopt,
        [&](store::Sample& sample) {
          write(format == LineFormat::kCsv ? sample_csv_line(tasks[task], sample)
                                           : sample_json_line(tasks[task], sample));
          ++count;
        },
        store::Reading::kEverything);
  }
  return count;
}

}  // namespace snellen::report
