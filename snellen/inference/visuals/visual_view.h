// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/inference/backend.h"
#include "snellen/models/observed.h"

namespace snellen::inference {

// A picture or clip as the network is shown it: the same decoder, change, processor and frames as
// when it is scored.
Result<models::View> view_of(const media::VisualPlace& place,
                             const NetworkParts& parts,
                             const BackendTraits& traits);

}  // namespace snellen::inference
