// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "snellen/models/checkpoint/config.h"
#include "snellen/training/learners/parameters.h"

namespace snellen::training {

// New weights as transformers draws them for this model type: normal, with a deviation that depends
// on the layer; norms 1, biases 0. Each from the stream "{seed}|train-weight|{name}". `config` must
// outlive it.
InitialValue initial_values(const std::string& model_type,
                            const models::ConfigView& config,
                            uint64_t seed);

}  // namespace snellen::training
