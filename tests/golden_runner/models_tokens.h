// SPDX-License-Identifier: Apache-2.0
// The token stage of a model fixture: raw strings to ids, from the folder's own files.
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// `context.file` is the folder's fixture.json. Compares `tokens`, and `tokens_hf` where it is
// there.
void check_tokens(const Context& context, Tally& tally);
// minilm/expected.json: needs the real model, looked for as data "minilm/".
void check_sentence_tokens(const Context& context, Tally& tally);

}  // namespace snellen::golden
