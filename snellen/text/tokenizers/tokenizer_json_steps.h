// SPDX-License-Identifier: Apache-2.0
// The parts of tokenizer.json around the model. All take the value itself, not its parent, and
// throw kInvalidInput naming its place.
#pragma once

#include <vector>

#include "snellen/text/tokenizers/json_view.h"
#include "snellen/text/tokenizers/normalizer.h"
#include "snellen/text/tokenizers/pre_tokenizer.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::text {

std::vector<NormalizerStep> read_normalizer(const JsonView& normalizer);
std::vector<PreTokenizerStep> read_pre_tokenizer(const JsonView& pre_tokenizer);
TokenFrame read_post_processor(const JsonView& post_processor);
// A member of `added_tokens`, or of `added_tokens_decoder` in tokenizer_config.json.
AddedToken read_added_token(const JsonView& token, int64_t id);

}  // namespace snellen::text
