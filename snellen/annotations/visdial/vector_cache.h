// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/text/vectors/word_vectors.h"

namespace snellen::annotations {

// Reads {"dim": D, "vectors": {text: [D numbers]}}: sentence vectors of an encoder run elsewhere,
// or a word vector table. Numbers stay double. The file is mapped and read in one pass; memory is
// what the vectors take. Throws kNotFound, or kInvalidInput naming the text whose vector is wrong.
text::VectorTable read_vector_cache(std::filesystem::path path);

}  // namespace snellen::annotations
