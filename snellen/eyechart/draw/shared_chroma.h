// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/media/image.h"

namespace snellen::eyechart {

// Gives the four pixels of each 2 x 2 block the same colour difference (BT.601), smoothed over
// neighbouring blocks, and leaves their brightness: what video of 4:2:0 can hold, so that encoding
// takes away little more.
// Both sides even.
void share_chroma(media::Image& image);

}  // namespace snellen::eyechart
