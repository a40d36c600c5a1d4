// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/models/checkpoint/tensor_view.h"

namespace snellen::models {

// The tensors of a safetensors file, in the order of its header; their bytes are views into `file`.
// Only the header is read. All is checked first (spec: models 1.2): header length (at most 100 MB),
// JSON, element types, offsets inside the data, sizes equal to shape times element size, no
// overlap, no name twice. `where` names the file in messages. Throws kInvalidInput.
std::vector<NamedTensor> read_safetensors(std::string_view file, const std::string& where);

}  // namespace snellen::models
