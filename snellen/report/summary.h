// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/report/table.h"
#include "snellen/store/results.h"

namespace snellen::report {

// One row a metric: value, interval, n, ties, chance, note. Breakdowns by category only when asked
// for. A chance that differs between items is a metric of its own, ID_chance: it stands in its
// metric's row.
Table metrics_table(const store::Results& results, bool with_breakdowns);

// A number with four decimals; "undefined" for NaN.
std::string shown(double value);

}  // namespace snellen::report
