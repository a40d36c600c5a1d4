// SPDX-License-Identifier: Apache-2.0
// The valence rules of VADER (docs/spec/bias.md 5.3, steps 4 and 5), on tokens already looked up.
#pragma once

#include <cstddef>
#include <span>

#include "snellen/text/vader/vader_tokens.h"

namespace snellen::text {

// True iff some but not all tokens are upper-case.
bool has_cap_difference(std::span<const VaderToken> tokens);

// Step 4 for token i, before "but".
double valence_of(std::span<const VaderToken> tokens, size_t i, bool cap_difference);

// Step 5. `but` is the index of the first "but". The reference rescales the first position whose
// current value equals the current one; is_fixed rescales the position itself.
void weigh_around_but(std::span<double> values, size_t but, bool is_fixed);

}  // namespace snellen::text
