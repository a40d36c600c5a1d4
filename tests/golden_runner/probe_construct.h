// SPDX-License-Identifier: Apache-2.0
// The probe sets built from the sources a vector holds, compared with what it expects.
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_construct_r(const Context& context, Tally& tally);
void check_construct_c(const Context& context, Tally& tally);
// The groups of construct_b.json.
void check_groups_b(const Json& json, Tally& tally);

}  // namespace snellen::golden
