// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/report/table.h"
#include "snellen/store/results.h"

namespace snellen::report {

// One row a metric: value, interval, n, ties, chance, note. Averages over parts come first,
// breakdowns by category only when asked for. A chance that differs between items is a metric of
// its own, ID_chance: it stands in its metric's row.
Table metrics_table(const store::Results& results, bool with_breakdowns);

// The same for a terminal: at most `width` columns. What has no value is one line below the table,
// and so are ties and how intervals were made.
std::string metrics_text(const store::Results& results, bool with_breakdowns, size_t width);

// The same for programs: numbers with all their digits, empty where they are undefined.
Table metrics_numbers(const store::Results& results, bool with_breakdowns);

// What must be said before any number: most decisions of a task tie. Empty where that is not so.
std::string tie_warning(const store::Results& results);

// A number with four decimals; "undefined" for NaN.
std::string shown(double value);

}  // namespace snellen::report
