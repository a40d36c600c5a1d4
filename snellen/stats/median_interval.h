// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "snellen/stats/cluster_mean.h"

namespace snellen::stats {

// The interval of the median of values that share clusters, `values` by cluster (Woodruff 1952):
// those values of which neither clearly more nor clearly fewer than half lie at or below, by the
// interval that a share of items has over clusters. Method "cluster-median"; none below 5 clusters
// and where one holds all values. No value may be NaN.
MeanInterval median_interval(std::span<const std::vector<double>> values, double confidence);

}  // namespace snellen::stats
