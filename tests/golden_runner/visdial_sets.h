// SPDX-License-Identifier: Apache-2.0
// VisDial's reference sets, ranks and canonical correlations (docs/spec/visdial.md 5.3, 5.5, 5.6).
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_cca(const Context& context, Tally& tally);
void check_clusters(const Context& context, Tally& tally);
void check_retrieval(const Context& context, Tally& tally);
// The whole chain on a tiny data set: vocabulary, fit, sets, ranks, generations.
void check_toy(const Context& context, Tally& tally);

}  // namespace snellen::golden
