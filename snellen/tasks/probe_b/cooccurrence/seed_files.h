// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "snellen/annotations/coco/class_table.h"
#include "snellen/tasks/probe_b/cooccurrence/task.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::probe_b_cooccurrence {

// What the seed-format files need of a group beyond its columns; kept as the outcome's detail.
struct GroupDetail {
  std::string object;
  std::vector<std::string> other_objects;
  std::array<std::vector<double>, 3>
      all_objects;  // softmax over all classes but the dropped; empty in compat
};

GroupDetail read_detail(const std::string& json);

// Writes raw, aggregated and object statistics of one filler and adds them to the report.
void write_filler(const std::string& fill,
                  const std::vector<std::string>& all_classes,
                  const SeedRequest& request,
                  OutcomeReader& outcomes,
                  SeedReport& report);

}  // namespace snellen::tasks::probe_b_cooccurrence
