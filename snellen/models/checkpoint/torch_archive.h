// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/models/checkpoint/tensor_view.h"

namespace snellen::models {

// The tensors of a pytorch_model.bin (the zip form of torch.save), in the order of its dictionary;
// their bytes are views into `file`. A restricted reader (spec: models 1.3): tensors only, nothing
// is imported or called, any global outside the list is refused by its name; strides and offsets
// are honoured and checked. A top-level dictionary with `state_dict` is unwrapped; entries that are
// not tensors are passed over. Checksums of tensor bytes are not read: a large file opens in
// milliseconds. Throws kInvalidInput, naming `where`.
std::vector<NamedTensor> read_torch_archive(std::string_view file, const std::string& where);

}  // namespace snellen::models
