// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// minilm/expected.json: tokens, sentence vectors (mean over tokens, L2) and first states of a real
// trained model, which is looked for as data "minilm/".
void check_sentences(const Context& context, Tally& tally);

}  // namespace snellen::golden
