// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/file/tag_means.h"

#include <map>
#include <unordered_set>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/tasks/judged.h"

namespace snellen::tasks::file {
namespace {

constexpr const char* kTags = "tags";

bool shares_clusters(OutcomeReader& outcomes, const std::string& part) {
  std::unordered_set<uint64_t> seen;
  bool is_shared = false;
  outcomes.for_each_scored(part, [&](const StoredItem& item) {
    for (const std::string& cluster : item.clusters)
      is_shared = is_shared || !seen.insert(fnv1a64(cluster)).second;
  });
  return is_shared;
}

}  // namespace

NamedValues named_tags(const std::vector<std::string>& tags) {
  NamedValues named({.is_compact = true});
  named.put(kTags, tags);
  return named;
}

std::vector<metrics::Measurement> tag_means(const std::string& task,
                                            const std::vector<Part>& parts,
                                            const std::vector<Column>& columns,
                                            OutcomeReader& outcomes,
                                            const PooledOptions& options) {
  std::vector<size_t> places;
  for (size_t place = 0; place < columns.size(); ++place) {
    if (columns[place].has_breakdown) places.push_back(place);
  }
  const std::vector<metrics::MetricColumn> facts = metric_columns(columns);
  std::vector<metrics::Measurement> all;
  for (const Part& part : parts) {
    const bool resamples = options.bootstrap > 0 || shares_clusters(outcomes, part.name);
    std::string start = metrics::metric_id(task, part.name, "by-tag");
    std::map<std::string, metrics::GroupMeans> means;
    outcomes.for_each_scored(part.name, [&](const StoredItem& item) {
      for (const std::string& tag : item.outcome.named.get<std::vector<std::string>>(kTags)) {
        auto [found, is_new] = means.try_emplace(
            tag,
            fmt::format("{}/{}/", start, tag),
            facts,
            places,
            resamples ? metrics::Resampling::kSharedClusters : metrics::Resampling::kNever);
        found->second.add(item.clusters, item.outcome.values, item.outcome.tied_columns);
      }
    });
    for (const auto& [tag, of_tag] : means) of_tag.measure(options, all);
  }
  return all;
}

}  // namespace snellen::tasks::file
