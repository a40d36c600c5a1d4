// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// models/refuse/cases.json: weight files beside it that must be turned down, each with an error
// that names the file.
void check_refused_weights(const Context& context, Tally& tally);

}  // namespace snellen::golden
