// SPDX-License-Identifier: Apache-2.0
// Noise of the blind-image control (docs/spec/bias.md 1.3). Sums are made in double precision,
// rounded half to even and saturated to 0..255.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/media/corruptions/noise_stream.h"
#include "snellen/media/image.h"

namespace snellen::media {

enum class NoiseKind { kGaussian, kUniform, kSaltAndPepper, kPoisson };

// "gaussian", "uniform", "salt_and_pepper", "poisson"; an error that names the nearest otherwise.
Result<NoiseKind> noise_kind_of(std::string_view name);
std::string_view name_of(NoiseKind kind);

// What `amount` means and what happens:
//                   kOurs                                            kReference
// gaussian          p + N(0, amount^2) for each channel value        the same
// uniform           p + U(-amount, amount)                           the same
// salt_and_pepper   a share `amount` of pixels is 0 or 255           each channel value times a
// coin poisson           Poisson(p amount) / amount                       p + Poisson(amount)
enum class NoiseRule { kOurs, kReference };

// Why this amount cannot be used with this kind; nothing when it can.
std::optional<Error> refuse_amount(NoiseKind kind, NoiseRule rule, double amount);

// An allowed amount; see refuse_amount.
Image noised(
    const Image& picture, NoiseKind kind, NoiseRule rule, double amount, NoiseStream& stream);

// Noise that knows nothing of the picture: each channel value 0 or 255 with equal chance.
Image pure_noise(int width, int height, NoiseStream& stream);

// "e2" for 100, "e3" for 1000 and so on, "s25" for any other sigma.
std::string level_name(double sigma);
// And back: 100 for "e2"; nothing for what level_name() does not write.
std::optional<double> sigma_of_level(std::string_view level);

}  // namespace snellen::media
