// SPDX-License-Identifier: Apache-2.0
// Does a network compute what its fixture says, from the fixture's own pixels and token ids? A
// fault of the tokenizer or of preprocessing cannot hide one of the model here.
#pragma once

#include <vector>

#include "snellen/models/check/stage_result.h"
#include "snellen/models/network.h"

namespace snellen::models {

struct NetworkCheckInputs {
  std::vector<TokenIds> tokens;
  // One per picture or clip: [3, H, W] or [frames, 3, H, W].
  std::vector<FloatTensor> pixels;
};

// The inputs stored in the fixture.
NetworkCheckInputs stored_inputs(const Fixture& fixture);

// Every stage behind tokens and pixels, in the fixture's order. What the model throws is passed on.
std::vector<StageResult> check_network(const Network& network,
                                       const Fixture& fixture,
                                       const NetworkCheckInputs& inputs,
                                       bool is_strict = false);

}  // namespace snellen::models
