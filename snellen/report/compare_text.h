// SPDX-License-Identifier: Apache-2.0
// A comparison as pages and data. Texts of run folders are made fit and escaped.
#pragma once

#include <string>

#include "snellen/report/compare.h"
#include "snellen/report/table.h"

namespace snellen::report {

// Found at an adjusted p below this.
inline constexpr double kFindingAlpha = 0.05;

// "B better", "A better" or "none found"; empty without a p.
std::string finding_of(const ComparedRow& row, const Comparison& comparison);

// "<" before a p that no draw of the test reached, or that is below what can be computed.
std::string shown_p(const std::optional<double>& p, const ComparedRow& row);

// For a terminal of `width` columns: the differences, what was found, and warnings.
std::string comparison_as_narrow_text(const Comparison& comparison, size_t width);
// Everything, however wide.
std::string comparison_as_text(const Comparison& comparison);
std::string comparison_as_markdown(const Comparison& comparison);
// The rows of decisions and metrics alone, one table, numbers with all their digits.
std::string comparison_as_csv(const Comparison& comparison);
// Everything.
std::string comparison_as_json(const Comparison& comparison);

}  // namespace snellen::report
