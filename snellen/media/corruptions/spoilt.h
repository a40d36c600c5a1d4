// SPDX-License-Identifier: Apache-2.0
// The corruptions of docs/spec/bias.md 4.1 that are no noise, each a picture of the same size.
#pragma once

#include "snellen/base/error.h"
#include "snellen/media/corruptions/noise_stream.h"
#include "snellen/media/image.h"

namespace snellen::media {

// Every pixel the mean of its channel, rounded half to even.
Image mean_colour(const Image& picture);

// A centred square of grey 128 over this share of the area; where it does not fit, a bar across the
// shorter side. 0 <= share <= 1.
Image occluded(const Image& picture, double share);

// Gaussian blur, sigma in pixels: weights out to 4 sigma, rows then columns in double precision,
// beyond the border the picture is mirrored with its edge repeated (scipy's `reflect`). sigma > 0.
Image blurred(const Image& picture, double sigma);

// A random permutation of all pixels (Fisher-Yates from the last pixel down).
Image pixels_shuffled(const Image& picture, SplitMixStream& stream);

// A grid of k x k equal patches, permuted; what is left over right and below stays. An error when a
// side has fewer than k pixels.
Result<Image> patches_shuffled(const Image& picture, int k, SplitMixStream& stream);

// Fourier amplitudes kept, phases random: one field of phases, the same for all channels, is added,
// so that colours stay together. The mean is kept; results are rounded and clipped to 0..255.
Image phases_randomised(const Image& picture, SplitMixStream& stream);

}  // namespace snellen::media
