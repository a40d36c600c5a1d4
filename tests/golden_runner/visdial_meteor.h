// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_meteor(const Context& context, Tally& tally);
void check_meteor_paraphrase(const Context& context, Tally& tally);
// The METEOR part of gens_checks.json.
void check_gens_meteor(const Json& vector, const Context& context, Tally& tally);

}  // namespace snellen::golden
