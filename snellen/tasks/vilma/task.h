// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/tasks/item.h"
#include "snellen/tasks/vilma/sources.h"

namespace snellen::tasks::vilma {

// One value a column: P, T and P+T of a pair, else the one decision there is. The margin is that of
// the decision that is nearer to being lost.
Outcome outcome_of(const SourceItem& item, bool is_pair);

}  // namespace snellen::tasks::vilma
