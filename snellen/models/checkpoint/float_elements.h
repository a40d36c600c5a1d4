// SPDX-License-Identifier: Apache-2.0
// Stored elements as float32, and back.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "snellen/models/checkpoint/tensor_view.h"

namespace snellen::models {

// True for the element types that hold fractions.
bool is_floating(ElementType type);

// Every element as float32, row by row whatever the strides. Integers beyond 2^24 and doubles are
// rounded. Compare the shape before you call: it allocates as many floats as the shape names.
std::vector<float> floats_of(const StoredTensorView& tensor);

// The bytes of `values` as F32, F16 or BF16, rounded to nearest, ties to even; what is too large
// for F16 becomes infinite, a NaN stays one. Throws kInternal for another type.
std::string bytes_of(std::span<const float> values, ElementType type);

}  // namespace snellen::models
