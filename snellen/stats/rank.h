// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace snellen::stats {

// Area under the ROC curve: the share of (positive, negative) pairs with the positive score higher,
// a tie counting one half. Exact: pairs are counted in whole numbers. Nothing when either side is
// empty; throws kInvalidInput for a NaN score.
std::optional<double> auroc(std::span<const double> positives, std::span<const double> negatives);

}  // namespace snellen::stats
