// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::file {

// An item's tags as they are stored.
NamedValues named_tags(const std::vector<std::string>& tags);

// The means of the columns with a breakdown over the items of each tag, as
// `task/part/by-tag/TAG/column`. Clusters are resampled where scored items of a part share one.
std::vector<metrics::Measurement> tag_means(const std::string& task,
                                            const std::vector<Part>& parts,
                                            const std::vector<Column>& columns,
                                            OutcomeReader& outcomes,
                                            const PooledOptions& options);

}  // namespace snellen::tasks::file
