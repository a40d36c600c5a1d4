// SPDX-License-Identifier: Apache-2.0
// Reads tokenizer.json, the file of the `tokenizers` library. The parts that published checkpoints
// of our families use are read; any other is refused by its name. The `truncation` and `padding`
// blocks are ignored: limits belong to the model.
#pragma once

#include "snellen/text/tokenizers/json_view.h"
#include "snellen/text/tokenizers/pipeline.h"

namespace snellen::text {

// Throws kInvalidInput naming the file and the part.
PipelineParts read_tokenizer_json(const JsonView& root);

// Parts of it. All take the value itself, not its parent.
std::vector<NormalizerStep> read_normalizer(const JsonView& normalizer);
std::vector<PreTokenizerStep> read_pre_tokenizer(const JsonView& pre_tokenizer);
TokenFrame read_post_processor(const JsonView& post_processor);
// A member of `added_tokens`, or of `added_tokens_decoder` in tokenizer_config.json.
AddedToken read_added_token(const JsonView& token, int64_t id);

}  // namespace snellen::text
