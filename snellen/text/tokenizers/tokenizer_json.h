// SPDX-License-Identifier: Apache-2.0
// Reads tokenizer.json, the file of the `tokenizers` library. The parts that published checkpoints
// of our families use are read; any other is refused by its name. The `truncation` and `padding`
// blocks are ignored: limits belong to the model.
#pragma once

#include <string>
#include <string_view>

#include "snellen/text/tokenizers/pipeline.h"

namespace snellen::text {

// Throws kInvalidInput naming `source` and the part.
PipelineParts read_tokenizer_json(std::string_view bytes, const std::string& source);

}  // namespace snellen::text
