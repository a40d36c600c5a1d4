// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "snellen/metrics/measurement.h"

namespace snellen::report {

// The mean of the defined ones. Its bounds are the means of theirs: right when their errors move
// together, too wide otherwise. n is the largest of theirs. Undefined when there is none.
metrics::Measurement mean_measurement(std::span<const metrics::Measurement* const> all);

}  // namespace snellen::report
