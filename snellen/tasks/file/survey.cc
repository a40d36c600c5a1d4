// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/file/survey.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/nearest.h"
#include "snellen/tasks/judged.h"

namespace snellen::tasks::file {
namespace {

// Ties are kept for as many columns as there are bits.
constexpr size_t kMostColumns = 64;
constexpr size_t kMostParts = 10000;

}  // namespace

ShapeOf::ShapeOf(const annotations::ItemLine& line)
    : num_visuals_(std::max<size_t>(1, line.visuals.size())),
      num_texts_(line.texts.size()),
      is_right_(num_visuals_ * num_texts_, 0),
      is_asked_(num_visuals_ * num_texts_, 0) {
  for (const auto& cell : line.cells) is_asked_[cell.visual * num_texts_ + cell.text] = 1;
  for (const auto& cell : line.right) is_right_[cell.visual * num_texts_ + cell.text] = 1;
}

metrics::ItemShape ShapeOf::shape() const {
  return {.num_visuals = num_visuals_,
          .num_texts = num_texts_,
          .is_right = is_right_,
          .is_asked = is_asked_};
}

MetricTable::MetricTable(const annotations::ItemsFile& file, metrics::Ties ties, Metrics outside)
    : default_name_(file.header().metric), ties_(ties) {
  check_default(file, outside);
  for (size_t index = 0; index < file.size(); ++index) {
    Result<annotations::ItemLine> line = file.item(index);
    // A bad line fails its item when it is asked for; it belongs to the part it stands in.
    if (line || parts_.empty()) enter_part(line ? line->part : "", file.where(index));
    ++parts_.back().num_items;
    if (line) add(*line, file.where(index), outside);
  }
  if (columns_.empty()) {
    Result<annotations::ItemLine> first = file.item(0);
    // None of the lines is an item: there are no others.
    if (!first)
      throw Error{first.error().code(),
                  first.error().message(),
                  first.error().where(),
                  "no line of the file can be read as an item: write one JSON object per line, see "
                  "docs/your-own-task.md"};
    Result<size_t> metric = metric_of(*first);
    if (!metric) throw metric.error().within(file.where(0));
  }
}

// A misspelt name in the header would fail every item that names no metric of its own.
void MetricTable::check_default(const annotations::ItemsFile& file, Metrics outside) const {
  const std::string& name = default_name_;
  if (name.empty() || metrics::metric_named(name)) return;
  for (const auto& one : outside) {
    if (one->facts().name == name) return;
  }
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("the header names the metric '{}', which is not known", name),
              file.path().string() + ":1",
              suggest(name, metrics::metric_names())};
}

void MetricTable::enter_part(const std::string& name, const std::string& where) {
  if (!parts_.empty() && parts_.back().name == name) return;
  bool is_known = std::any_of(
      parts_.begin(), parts_.end(), [&](const Part& part) { return part.name == name; });
  if (is_known) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("part '{}' goes on after another part began", name),
                where,
                "sort the file by part"};
  }
  if (parts_.size() >= kMostParts)
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("more than {} parts", kMostParts),
                where,
                "use 'category' or 'tags' for what has many values"};
  parts_.push_back({name, 0});
}

bool MetricTable::is_smaller_better() const {
  return !metrics_.empty() && metrics_.front().metric->facts().is_smaller_better;
}

Result<size_t> MetricTable::metric_of(const annotations::ItemLine& line) const {
  const std::string& name = line.metric.empty() ? default_name_ : line.metric;
  for (size_t number = 0; number < metrics_.size(); ++number) {
    if (metrics_[number].name == name) return number;
  }
  return Error{
      ErrorCode::kInvalidInput,
      name.empty() ? "no metric named" : fmt::format("unknown metric '{}'", name),
      "",
      suggest(name, metrics::metric_names()) + "; \"metric\" stands in the header or in the item"};
}

Result<size_t> MetricTable::use(const annotations::ItemLine& line, Metrics outside) {
  Result<size_t> known = metric_of(line);
  if (known) return known;
  const std::string& name = line.metric.empty() ? default_name_ : line.metric;
  UsedMetric used{name, nullptr, {}};
  for (const auto& one : outside) {
    if (one->facts().name == name) used.metric = one;
  }
  if (!used.metric) used.metric = metrics::metric_named(name);
  if (!used.metric) return known;
  std::vector<Column> columns = columns_;
  const std::vector<metrics::MetricColumn>& facts = used.metric->facts().columns;
  // Broken down are the decisions; where a metric makes none, all its columns.
  bool has_decisions =
      std::any_of(facts.begin(), facts.end(), [](const auto& one) { return one.is_decision; });
  for (const metrics::MetricColumn& column : facts) {
    auto same = std::find_if(columns.begin(), columns.end(), [&](const Column& other) {
      return other.name == column.name;
    });
    used.places.push_back(static_cast<size_t>(same - columns.begin()));
    if (same != columns.end()) continue;
    columns.push_back(
        column_of(column, ties_, /*has_breakdown=*/column.is_decision || !has_decisions));
  }
  if (columns.size() > kMostColumns)
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the file's metrics have more than {} columns", kMostColumns)};
  columns_ = std::move(columns);
  has_chance_.resize(columns_.size(), false);
  metrics_.push_back(std::move(used));
  return metrics_.size() - 1;
}

// Chance and kind of the columns hold for every item or not at all.
void MetricTable::add(const annotations::ItemLine& line,
                      const std::string& where,
                      Metrics outside) {
  Result<size_t> number = use(line, outside);
  if (!number) return;
  const UsedMetric& used = metrics_[*number];
  if (used.metric->facts().is_smaller_better != is_smaller_better()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("metric '{}' beside '{}': of one the smaller score is better, of the "
                            "other the higher",
                            used.name,
                            metrics_.front().name),
                where,
                "write two files"};
  }
  ShapeOf made(line);
  const metrics::ItemShape shape = made.shape();
  if (used.metric->misfit(shape)) return;
  has_tags_ = has_tags_ || !line.tags.empty();
  for (size_t i = 0; i < used.places.size(); ++i) {
    size_t place = used.places[i];
    Column& column = columns_[place];
    column.is_share = column.is_share && used.metric->is_share(i, shape);
    std::optional<double> chance = used.metric->chance(i, shape);
    if (!chance) continue;
    column.chance = !has_chance_[place] || column.chance == chance ? chance : std::nullopt;
    has_chance_[place] = true;
  }
}

}  // namespace snellen::tasks::file
