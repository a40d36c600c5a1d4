// SPDX-License-Identifier: Apache-2.0
// The four evaluations, compared by whole runs: the vector is written as annotation and score
// files, scored, and the files of the run folder are compared with what it expects, key order
// included.
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_probe_r(const Context& context, Tally& tally);
void check_probe_c(const Context& context, Tally& tally);
void check_probe_b_mr(const Context& context, Tally& tally);
void check_probe_b_r(const Context& context, Tally& tally);

}  // namespace snellen::golden
