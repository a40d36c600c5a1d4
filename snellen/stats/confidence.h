// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::stats {

// The share cut off below an interval of this confidence: 0.025 for 0.95. Throws kUsage unless 0 <
// confidence < 1.
double lower_tail(double confidence);

}  // namespace snellen::stats
