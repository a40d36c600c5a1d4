// SPDX-License-Identifier: Apache-2.0
// The checks behind vilma.cc's table of contents.
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_vilma_cases(const Context& context, Tally& tally);
void check_vilma_suite(const Context& context, Tally& tally);
void check_vilma_errors(const Context& context, Tally& tally);
void check_vilma_unit(const Context& context, Tally& tally);

}  // namespace snellen::golden
