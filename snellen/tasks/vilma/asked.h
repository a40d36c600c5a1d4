// SPDX-License-Identifier: Apache-2.0
// ViLMA as a model is asked it: every item shows its clip with the main texts and with the
// proficiency texts (docs/spec/vilma.md 5). Items that fail the filter are scored and stored, not
// measured.
#pragma once

#include <memory>

#include "snellen/tasks/task.h"

namespace snellen::tasks::vilma {

// Throws kNotFound when no annotation file is named or found, kUsage and kInvalidInput as `score`.
std::unique_ptr<Task> open_asked(const TaskRequest& request);

}  // namespace snellen::tasks::vilma
