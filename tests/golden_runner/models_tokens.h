// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// clip_bpe/: `tokens_hf`, the ids that transformers gives with open_clip's vocabulary.
void check_hugging_face_tokens(const Context& context, Tally& tally);

}  // namespace snellen::golden
