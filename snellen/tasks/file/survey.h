// SPDX-License-Identifier: Apache-2.0
// What a file of items holds as a whole: its parts, its metrics and their columns. One pass when
// the task is opened; nothing of the items is kept.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/items/items_file.h"
#include "snellen/metrics/metric.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::file {

// Which pairs of an item are asked and right, as metrics take it; they point into this object.
class ShapeOf {
 public:
  explicit ShapeOf(const annotations::ItemLine& line);
  metrics::ItemShape shape() const;

 private:
  size_t num_visuals_;
  size_t num_texts_;
  std::vector<uint8_t> is_right_;
  std::vector<uint8_t> is_asked_;
};

// A metric that some item of the file names, and where its columns stand among the task's.
struct UsedMetric {
  std::string name;  // as the file writes it
  std::shared_ptr<const metrics::Metric> metric;
  std::vector<size_t> places;
};

// The metrics of a file and the columns they fill; metrics share columns of one name.
class MetricTable {
 public:
  // Metrics are looked for among `outside` first, then among the built-in ones.
  using Metrics = std::span<const std::shared_ptr<const metrics::Metric>>;
  MetricTable(const annotations::ItemsFile& file, metrics::Ties ties, Metrics outside = {});

  // The number of an item's metric, named by itself or the header; an Error names the known ones.
  Result<size_t> metric_of(const annotations::ItemLine& line) const;
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Part>& parts() const { return parts_; }
  const UsedMetric& metric(size_t number) const { return metrics_[number]; }
  bool has_tags() const { return has_tags_; }
  // Score files hold perplexities: no file mixes these with scores of which the higher is better.
  bool is_smaller_better() const;

 private:
  Result<size_t> use(const annotations::ItemLine& line, Metrics outside);
  void add(const annotations::ItemLine& line, const std::string& where, Metrics outside);
  void check_default(const annotations::ItemsFile& file, Metrics outside) const;
  void enter_part(const std::string& name, const std::string& where);

  std::string default_name_;
  metrics::Ties ties_;
  std::vector<UsedMetric> metrics_;
  std::vector<Column> columns_;
  std::vector<bool> has_chance_;  // of each column: an item gave it one
  std::vector<Part> parts_;
  bool has_tags_ = false;
};

}  // namespace snellen::tasks::file
