// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/demo/demo_tables.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/print.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kUndefined = "-";
constexpr std::string_view kAccuracy = "/acc";

std::string percent(double share) {
  return fmt::format("{:.1f}", 100 * share);
}

std::string shown(const json& metric) {
  if (!metric.is_object() || !metric["value"].is_number()) return kUndefined;
  std::string text = percent(metric["value"]);
  if (metric["low"].is_number() && metric["high"].is_number())
    text += fmt::format(" [{}, {}]", percent(metric["low"]), percent(metric["high"]));
  return text;
}

std::string count_of(const json& metric) {
  return metric.is_object() ? fmt::format("{}", metric.value("n", 0)) : std::string(kUndefined);
}

json read_json(const fs::path& file) {
  json value = formats::parse_json(read_text_file(file));
  if (value.is_object()) return value;
  throw Error{ErrorCode::kInvalidInput, "is no JSON object", file.string()};
}

json metric_of(const json& results, std::string_view id) {
  for (const json& metric : results.value("metrics", json::array())) {
    if (metric.value("id", "") == id) return metric;
  }
  return {};
}

}  // namespace

json DemoTables::results(const std::string& model, const std::string& task) const {
  return read_json(output_ / "runs" / fmt::format("{}-{}", model, task) / "results.json");
}

json DemoTables::naming(const std::string& model) const {
  fs::path file = output_ / "zeroshot" / model / "zeroshot.json";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  return metric_of(read_json(file), "zeroshot/top1");
}

json DemoTables::compared(const std::string& task) const {
  return read_json(output_ / fmt::format("compare-{}.json", task));
}

report::Table DemoTables::by_model(std::span<const char* const> models,
                                   std::span<const DemoColumn> columns,
                                   bool with_names) const {
  std::vector<report::Table::Heading> headings = {{"model", false}};
  if (with_names) headings.push_back({"naming objects", true});
  for (const DemoColumn& column : columns) headings.push_back({column.heading, true});
  report::Table rows(headings);
  // The counts of each column, those of several models only where they differ.
  std::vector<std::vector<std::string>> counts(headings.size() - 1);
  for (const char* model : models) {
    std::vector<std::string> row = {model};
    auto add = [&](const json& metric) {
      std::vector<std::string>& column = counts[row.size() - 1];
      row.push_back(shown(metric));
      if (!metric.is_object()) return;
      const std::string count = count_of(metric);
      if (std::find(column.begin(), column.end(), count) == column.end()) column.push_back(count);
    };
    if (with_names) add(naming(model));
    for (const DemoColumn& column : columns)
      add(metric_of(results(model, column.task), column.metric));
    rows.add(row);
  }
  std::vector<std::string> last = {"n"};
  for (const std::vector<std::string>& column : counts)
    last.push_back(column.empty() ? kUndefined : fmt::format("{}", fmt::join(column, " or ")));
  rows.add(last);
  return rows;
}

std::string for_terminal(std::string_view text) {
  std::string fit;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    fit += report::wrapped_text(std::string(text.substr(begin, end - begin)), kTextWidth);
    if (end < text.size()) fit += '\n';
    begin = end + 1;
  }
  return fit;
}

report::Table DemoTables::by_kind(std::span<const char* const> models,
                                  const std::string& task) const {
  report::Table rows(
      {{task, false}, {"model", false}, {"n", true}, {"right", true}, {"gray", true}});
  const std::string gray = task + "/control/gray", by_tag = "/by-tag/";
  const json first = results(models.front(), task);
  for (const json& metric : first.value("metrics", json::array())) {
    const std::string id = metric.value("id", "");
    if (!id.starts_with(task + by_tag) || !id.ends_with(kAccuracy)) continue;
    const std::string rest = id.substr(task.size());
    const size_t begin = by_tag.size();
    const std::string kind = rest.substr(begin, rest.size() - begin - kAccuracy.size());
    for (const char* model : models) {
      const json right = metric_of(results(model, task), id);
      rows.add(
          {kind, model, count_of(right), shown(right), shown(metric_of(results(model, gray), id))});
    }
  }
  return rows;
}

report::Table DemoTables::controls(std::span<const DemoLadder> ladders) const {
  report::Table rows({{"model", false},
                      {"metric", false},
                      {"n", true},
                      {"clean", true},
                      {"without the picture", true},
                      {"reversed", true},
                      {"frozen", true},
                      {"picture", false},
                      {"order", false},
                      {"motion", false}});
  for (const DemoLadder& ladder : ladders) {
    const json control = read_json(
        output_ / "runs" / fmt::format("{}-{}", ladder.model, ladder.task) / "control.json");
    const json metric = metric_of(control, ladder.metric);
    if (!metric.is_object()) continue;
    auto verdict = [&](const char* question) -> json {
      for (const json& one : metric["verdicts"]) {
        if (one["question"] == question) return one;
      }
      return {};
    };
    auto word = [&](const char* question) {
      const json one = verdict(question);
      return one.is_object() ? one.value("verdict", "") : std::string(kUndefined);
    };
    auto score = [&](const char* question) -> std::string {
      const json one = verdict(question);
      for (const json& rung : metric["rungs"]) {
        if (one.is_object() && rung["rung"] == one["rung"])
          return fmt::format("{} ({})", shown(rung), one.value("rung", ""));
      }
      return kUndefined;
    };
    rows.add({ladder.model,
              ladder.metric,
              count_of(metric["clean"]),
              shown(metric["clean"]),
              score("picture"),
              score("order"),
              score("motion"),
              word("picture"),
              word("order"),
              word("motion")});
  }
  return rows;
}

std::string DemoTables::warnings(std::span<const char* const> tasks) const {
  std::string lines;
  for (const char* task : tasks) {
    for (const json& line : compared(task).value("warnings", json::array()))
      lines += fmt::format("\nWarning: {}\n", line.get<std::string>());
  }
  return lines;
}

report::Table DemoTables::changes(std::span<const char* const> tasks) const {
  report::Table rows({{"clip-patched against clip", false},
                      {"n", true},
                      {"difference", true},
                      {"p (Holm)", true}});
  for (const char* task : tasks) {
    for (const json& row : compared(task).value("rows", json::array())) {
      if (row.value("kind", "") == "metric") continue;
      if (!row["difference"].is_number() || !row["low"].is_number()) continue;
      rows.add({row.value("id", ""),
                fmt::format("{}", row.value("n", 0)),
                fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]",
                            100 * row["difference"].get<double>(),
                            100 * row["low"].get<double>(),
                            100 * row["high"].get<double>()),
                row["p_holm"].is_number() ? fmt::format("{}{:.1g}",
                                                        row.value("p_is_floor", false) ? "<" : "",
                                                        row["p_holm"].get<double>())
                                          : kUndefined});
    }
  }
  return rows;
}

}  // namespace snellen::cli
