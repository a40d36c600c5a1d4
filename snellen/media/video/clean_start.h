// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace snellen::media {

// Whether decoding may begin with this H.264 key packet and lose nothing: only one with an IDR
// picture. Others begin an open group of pictures, whose first frames refer to the one before;
// FFmpeg 5 then drops frames well after them. `extradata` tells how units are framed: with a start
// code, or behind their length (it then begins with a 1).
bool has_idr_picture(std::span<const uint8_t> packet, std::span<const uint8_t> extradata);

}  // namespace snellen::media
