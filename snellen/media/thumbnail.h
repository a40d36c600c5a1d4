// SPDX-License-Identifier: Apache-2.0
// Small pictures for people: they are looked at, not scored.
#pragma once

#include <span>

#include "snellen/media/image.h"

namespace snellen::media {

// The picture scaled down (bicubic) so that neither side is longer than `max_side`, shape kept; a
// picture that fits is given as it is. max_side at least 1.
Image thumbnail(const Image& image, int max_side);

// The middle square, `side` x `side`: the short side scaled to `side` (bilinear), then cropped, as
// torchvision's Resize and CenterCrop do on pictures. side at least 1.
Image square_thumbnail(const Image& image, int side);

// The middle squares of several pictures side by side; at least one picture.
Image contact_strip(std::span<const Image> images, int side);

}  // namespace snellen::media
