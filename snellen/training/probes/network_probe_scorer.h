// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/media/processor/image_processor.h"
#include "snellen/models/network.h"
#include "snellen/training/probes/probe_set.h"

namespace snellen::training {

// Asks a loaded checkpoint with its first head, as `snellen run` does: dual encoders, and models
// that look at picture and text together. Safe from many threads. Texts must fit the network
// (ProbeSetOptions::max_tokens). Both must outlive the scorer. Throws kUsage for a network without
// either.
ProbeScorer network_probe_scorer(const models::Network& network,
                                 const media::ImageProcessor& processor);

}  // namespace snellen::training
