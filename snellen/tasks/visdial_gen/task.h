// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "snellen/tasks/item.h"

namespace snellen::tasks::visdial_gen {

// A metric of the published evaluation as a column: distances (*_l2, *_l2_best) are better low.
Column column_of(std::string_view name);

}  // namespace snellen::tasks::visdial_gen
