// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/pages/published.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/embedded_file.h"
#include "snellen/base/error.h"
#include "snellen/formats/json.h"

namespace snellen {
std::span<const EmbeddedFile> embedded_published();  // made by cmake/embed.cmake
}

namespace snellen::report {
namespace {

using nlohmann::json;

std::string cell_of(const json& value, const std::string& kind) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number()) return "-";
  return kind == "percent" ? fmt::format("{:.2f}", value.get<double>())
                           : fmt::format("{:.3f}", value.get<double>());
}

PublishedTable table_of(const json& object) {
  PublishedTable table{.name = object.at("name"),
                       .title = object.at("title"),
                       .note = object.at("note"),
                       .kind = object.at("kind"),
                       .columns = {},
                       .rows = {}};
  for (const json& column : object.at("columns"))
    table.columns.push_back({column.at("name"),
                             column.at("ours"),
                             column.value("types", std::vector<std::string>()),
                             column.value("items", uint64_t{0})});
  const char* cells = table.kind == "texts" ? "texts" : "values";
  for (const json& row : object.at("rows")) {
    PublishedTable::Row& read = table.rows.emplace_back();
    read.name = row.at("name");
    for (const json& value : row.at(cells)) read.cells.push_back(cell_of(value, table.kind));
    if (read.cells.size() != table.columns.size())
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "{} has {} cells, expected {}", read.name, read.cells.size(), table.columns.size()),
          table.name};
  }
  return table;
}

// "83.7 [80.1, 86.9]" in the unit of the table.
std::string ours(const metrics::Measurement* one, const std::string& kind) {
  if (one == nullptr || !std::isfinite(one->value)) return "-";
  const double factor = kind == "percent" ? 100 : 1;
  const int decimals = kind == "percent" ? 1 : 3;
  std::string text = fmt::format("{:.{}f}", factor * one->value, decimals);
  if (one->low && one->high)
    text += fmt::format(
        " [{:.{}f}, {:.{}f}]", factor * *one->low, decimals, factor * *one->high, decimals);
  return text;
}

// The set of questions that a run was asked for; empty where it does not say.
std::string type_of(const ReportRun& run) {
  const nlohmann::ordered_json& type = run.stored.stamped({"identity", "settings", "type"});
  return type.is_string() ? type.get<std::string>() : "";
}

bool is_about(const PublishedTable::Column& column, const ReportRun& run) {
  return column.types.empty() ||
         std::find(column.types.begin(), column.types.end(), type_of(run)) != column.types.end();
}

// Whose numbers stand in one row: a model of several sets is one, runs without sets are told apart
// by their labels.
std::string row_name(const PublishedTable& published, const ReportRun& run) {
  const bool has_types = std::any_of(published.columns.begin(),
                                     published.columns.end(),
                                     [](const auto& column) { return !column.types.empty(); });
  return has_types ? fit_text(run.stored.model, 48) : run.label;
}

// Ours of one column, several where a column is about several sets.
std::string our_cell(const PublishedTable& published,
                     const PublishedTable::Column& column,
                     const ReportInput& input,
                     const std::string& row) {
  std::string cell;
  for (const ReportRun& run : input.runs) {
    if (column.ours.empty() || row_name(published, run) != row || !is_about(column, run)) continue;
    const metrics::Measurement* one = run.find(column.ours);
    if (one == nullptr || (column.num_items > 0 && one->n != column.num_items)) continue;
    if (!cell.empty()) cell += "; ";
    cell += ours(one, published.kind);
    if (column.types.size() > 1) cell += fmt::format(" ({})", fit_text(type_of(run)));
  }
  return cell;
}

}  // namespace

PublishedPaper published_from_json(std::string_view text, const std::string& where) {
  const json file = formats::parse_json_object(text, where);
  try {
    PublishedPaper paper{.paper = file.at("paper"),
                         .task = file.value("task", ""),
                         .none = file.value("none", ""),
                         .tables = {}};
    for (const json& table : file.at("tables")) paper.tables.push_back(table_of(table));
    return paper;
  } catch (const json::exception& problem) {
    throw Error{ErrorCode::kInvalidInput, problem.what(), where};
  }
}

std::vector<PublishedPaper> published_papers() {
  std::vector<PublishedPaper> papers;
  for (const EmbeddedFile& file : embedded_published())
    papers.push_back(published_from_json(file.bytes, std::string(file.name)));
  return papers;
}

Table published_table(const PublishedTable& published, const ReportInput& input) {
  std::vector<Table::Heading> headings = {{published.kind == "texts" ? "data set" : "model"},
                                          {"source"}};
  for (const PublishedTable::Column& column : published.columns)
    headings.push_back({column.name, published.kind != "texts"});
  Table table(std::move(headings));
  for (const PublishedTable::Row& row : published.rows) {
    std::vector<std::string> cells = {row.name, "published"};
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    table.add(std::move(cells));
  }
  std::vector<std::string> rows;
  for (const ReportRun& run : input.runs) {
    const std::string row = row_name(published, run);
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  for (const std::string& row : rows) {
    std::vector<std::string> cells = {row, "ours"};
    bool has_any = false;
    for (const PublishedTable::Column& column : published.columns) {
      const std::string cell = our_cell(published, column, input, row);
      has_any = has_any || !cell.empty();
      cells.push_back(cell.empty() ? "-" : cell);
    }
    if (has_any) table.add(std::move(cells));
  }
  return table;
}

std::vector<std::string> runs_without_place(const PublishedTable& published,
                                            const ReportInput& input) {
  std::vector<std::string> sentences;
  for (const ReportRun& run : input.runs) {
    bool is_measured = false, has_place = false;
    for (const PublishedTable::Column& column : published.columns) {
      if (column.types.empty() || run.find(column.ours) == nullptr) continue;
      is_measured = true;
      has_place = has_place || is_about(column, run);
    }
    if (is_measured && !has_place)
      sentences.push_back(
          fmt::format("{}: names no set of '{}' with --type and does not stand beside the "
                      "published numbers",
                      fit_text(run.name),
                      published.title));
  }
  return sentences;
}

bool is_relevant(const PublishedTable& published, const ReportInput& input) {
  auto has = [&](std::string_view start) { return !input.ids(start).empty(); };
  if (published.name.starts_with("probe-") && published.kind == "texts") return has("probe-");
  for (const PublishedTable::Column& column : published.columns) {
    for (const ReportRun& run : input.runs) {
      const metrics::Measurement* one = column.ours.empty() ? nullptr : run.find(column.ours);
      if (one && (column.num_items == 0 || one->n == column.num_items)) return true;
    }
  }
  return false;
}

}  // namespace snellen::report
