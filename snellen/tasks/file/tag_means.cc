// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/file/tag_means.h"

#include <map>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/hash.h"
#include "snellen/formats/json.h"
#include "snellen/metrics/column_means.h"

namespace snellen::tasks::file {
namespace {

bool shares_clusters(OutcomeReader& outcomes, const std::string& part) {
  std::unordered_set<uint64_t> seen;
  bool is_shared = false;
  outcomes.for_each_scored(part, [&](const StoredItem& item) {
    is_shared = is_shared || !seen.insert(fnv1a64(item.cluster)).second;
  });
  return is_shared;
}

}  // namespace

std::string tags_to_json(const std::vector<std::string>& tags) {
  return nlohmann::json{{"tags", tags}}.dump();
}

std::vector<std::string> tags_from_json(const std::string& detail) {
  if (detail.empty()) return {};
  nlohmann::json json = formats::parse_json(detail);
  std::vector<std::string> tags;
  if (!json.is_object() || !json.contains("tags")) return tags;
  for (const nlohmann::json& tag : json["tags"]) {
    if (tag.is_string()) tags.push_back(tag.get<std::string>());
  }
  return tags;
}

std::vector<metrics::Measurement> tag_means(const std::string& task,
                                            const std::vector<Part>& parts,
                                            const std::vector<Column>& columns,
                                            OutcomeReader& outcomes,
                                            const PooledOptions& options) {
  std::vector<metrics::MetricColumn> facts;
  std::vector<size_t> places;
  for (const Column& column : columns) {
    if (column.has_breakdown) places.push_back(facts.size());
    facts.push_back({.name = column.name,
                     .is_share = column.is_share,
                     .chance = column.chance,
                     .higher_is_better = column.higher_is_better});
  }
  std::vector<metrics::Measurement> all;
  for (const Part& part : parts) {
    bool resamples = options.bootstrap > 0 || shares_clusters(outcomes, part.name);
    std::string start = metrics::metric_id(task, part.name, "by-tag");
    std::map<std::string, metrics::ColumnMeans> means;
    outcomes.for_each_scored(part.name, [&](const StoredItem& item) {
      for (const std::string& tag : tags_from_json(item.outcome.detail)) {
        auto [found, is_new] =
            means.try_emplace(tag, fmt::format("{}/{}/", start, tag), facts, places, resamples);
        found->second.add(item.cluster, item.outcome.values, item.outcome.tied_columns);
      }
    });
    for (const auto& [tag, of_tag] : means) {
      of_tag.measure({.confidence = options.confidence,
                      .bootstrap = options.bootstrap,
                      .seed = options.seed,
                      .num_threads = options.num_threads},
                     all);
    }
  }
  return all;
}

}  // namespace snellen::tasks::file
