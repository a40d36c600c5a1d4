// SPDX-License-Identifier: Apache-2.0
// The VisDial vectors of text preparation, CIDEr, embedding metrics and the whole evaluation.
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_preprocess(const Context& context, Tally& tally);
void check_cider(const Context& context, Tally& tally);
void check_gens(const Context& context, Tally& tally);
void check_embedding(const Context& context, Tally& tally);
void check_fasttext(const Context& context, Tally& tally);
void check_evaluate(const Context& context, Tally& tally);

}  // namespace snellen::golden
