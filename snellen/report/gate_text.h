// SPDX-License-Identifier: Apache-2.0
// A gate's verdict as pages and data. Texts of run folders are made fit and escaped.
#pragma once

#include <string>

#include "snellen/report/gate.h"

namespace snellen::report {

// In `width` columns at most; 0: as wide as it is.
std::string verdict_as_text(const GateVerdict& verdict, size_t width = 0);
// For the page of a CI system.
std::string verdict_as_markdown(const GateVerdict& verdict);
std::string verdict_as_json(const GateVerdict& verdict);

}  // namespace snellen::report
