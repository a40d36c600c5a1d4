// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "snellen/annotations/coco/class_table.h"
#include "snellen/tasks/probe_b/cooccurrence/task.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::probe_b_cooccurrence {

// What the seed-format files need of a group beyond its columns: its objects, and for each image
// the softmax over all classes but the dropped ones (not in compat).
constexpr const char* kObject = "object";
constexpr const char* kOtherObjects = "other_objects";

// Writes raw, aggregated and object statistics of one filler and adds them to the report.
void write_filler(const std::string& fill,
                  const std::vector<std::string>& all_classes,
                  const SeedRequest& request,
                  OutcomeReader& outcomes,
                  SeedReport& report);

}  // namespace snellen::tasks::probe_b_cooccurrence
