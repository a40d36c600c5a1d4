// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/report/stored_run.h"

namespace snellen::report {

// What in the stamps of two runs makes their numbers hard to compare: other annotation files of the
// same name, tasks only one has, other settings (but for model, name and seed), another version.
// One line each, a bounded number.
std::vector<std::string> run_differences(const StoredRun& first,
                                         const std::string& first_label,
                                         const StoredRun& second,
                                         const std::string& second_label);

}  // namespace snellen::report
