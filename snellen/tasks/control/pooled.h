// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/metrics/control/control_ladder.h"
#include "snellen/metrics/measurement.h"
#include "snellen/tasks/control/answers.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::control {

// The name of what choices by scores are stored with: how far the best option led at each level.
constexpr const char* kLeads = "leads";

// A ladder as it is stored, beside the values of its item; nested where the item has others by the
// same names.
NamedValues named_values(const Ladder& ladder, bool is_nested = false);
// The rest of the item (image, category) comes from the store.
Ladder ladder_of(const NamedValues& named);

struct ControlOptions {
  bool flips_at_first_c = false;
  bool counts_refusal_as_c = false;
};

// What is no mean over items: the claim at every level, the shares of determinate items, gain, area
// and consistency; overall, by category, by condition and by subset.
std::vector<metrics::Measurement> pooled_metrics(const Levels& levels,
                                                 const ControlOptions& control,
                                                 OutcomeReader& outcomes,
                                                 const PooledOptions& options);

}  // namespace snellen::tasks::control
