// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/noise.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "snellen/base/nearest.h"

namespace snellen::media {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {
    "gaussian", "uniform", "salt_and_pepper", "poisson"};
constexpr double kMostSigma = 1e6;
constexpr double kLeastPoisson = 1e-6;
constexpr double kMostPoisson = 1e4;

// Half to even, then 0..255: adding 1.5 * 2^52 leaves no room for a fraction. Amounts are bounded
// so that every sum fits an int.
inline uint8_t to_byte(double value) {
  int rounded = static_cast<int>((value + 0x1.8p52) - 0x1.8p52);
  return static_cast<uint8_t>(std::min(std::max(rounded, 0), 255));
}

// Value i of a row in the stream's order, as a place in the row.
inline size_t place_of(size_t i, ChannelOrder order) {
  return order == ChannelOrder::kRgb ? i : i - i % 3 + (2 - i % 3);
}

void add_gaussian(std::span<const uint8_t> from,
                  std::span<uint8_t> to,
                  double sigma,
                  NoiseStream& stream,
                  std::vector<double>& noise) {
  noise.resize(from.size());
  stream.fill_gauss(noise);
  if (stream.order() == ChannelOrder::kBgr) {
    for (size_t i = 0; i < noise.size(); i += 3) std::swap(noise[i], noise[i + 2]);
  }
  // Plain pointers: a store of bytes might otherwise change the vector's own members.
  const double* drawn = noise.data();
  const uint8_t* clean = from.data();
  uint8_t* out = to.data();
  for (size_t i = 0, size = from.size(); i < size; ++i)
    out[i] = to_byte(clean[i] + sigma * drawn[i]);
}

// One value for each channel value.
template <typename Draw>
void for_each_value(std::span<const uint8_t> from,
                    std::span<uint8_t> to,
                    ChannelOrder order,
                    Draw draw) {
  for (size_t i = 0; i < from.size(); ++i) {
    size_t place = place_of(i, order);
    to[place] = to_byte(draw(static_cast<double>(from[place])));
  }
}

void salt_and_pepper(std::span<const uint8_t> from,
                     std::span<uint8_t> to,
                     double share,
                     NoiseStream& stream) {
  for (size_t i = 0; i < from.size(); i += 3) {
    double u = stream.u01();
    for (size_t c = i; c < i + 3; ++c) {
      to[c] = u < share / 2 ? uint8_t{0} : u < share ? uint8_t{255} : from[c];
    }
  }
}

}  // namespace

Result<NoiseKind> noise_kind_of(std::string_view name) {
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i] == name) return static_cast<NoiseKind>(i);
  }
  std::vector<std::string> known(kKinds.begin(), kKinds.end());
  return Error{
      ErrorCode::kUsage, fmt::format("no noise of kind '{}'", name), "", suggest(name, known)};
}

std::string_view name_of(NoiseKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

std::optional<Error> refuse_amount(NoiseKind kind, NoiseRule rule, double amount) {
  double low = 0;
  double high = kMostSigma;
  if (rule == NoiseRule::kOurs && kind == NoiseKind::kSaltAndPepper) high = 1;
  if (rule == NoiseRule::kOurs && kind == NoiseKind::kPoisson) {
    low = kLeastPoisson;
    high = kMostPoisson;
  }
  if (amount >= low && amount <= high) return std::nullopt;
  return Error{ErrorCode::kUsage,
               fmt::format("{} noise of {} is outside {} to {}", name_of(kind), amount, low, high),
               "",
               "sigma is in grey levels, salt and pepper is a share, poisson a factor"};
}

Image noised(
    const Image& picture, NoiseKind kind, NoiseRule rule, double amount, NoiseStream& stream) {
  SNELLEN_CHECK(!refuse_amount(kind, rule, amount));
  Image out = Image::blank(picture.width, picture.height);
  bool is_reference = rule == NoiseRule::kReference;
  std::vector<double> noise;
  for (int y = 0; y < picture.height; ++y) {
    std::span<const uint8_t> from = picture.row(y);
    std::span<uint8_t> to = out.row(y);
    if (kind == NoiseKind::kGaussian) {
      add_gaussian(from, to, amount, stream, noise);
    } else if (kind == NoiseKind::kUniform) {
      for_each_value(from, to, stream.order(), [&](double p) {
        return p + (-amount + (amount - -amount) * stream.u01());
      });
    } else if (kind == NoiseKind::kSaltAndPepper && is_reference) {
      for_each_value(from, to, stream.order(), [&](double p) { return stream.coin() ? p : 0.0; });
    } else if (kind == NoiseKind::kSaltAndPepper) {
      salt_and_pepper(from, to, amount, stream);
    } else if (is_reference) {
      for_each_value(from, to, stream.order(), [&](double p) {
        return p + static_cast<double>(draw_poisson(stream, amount));
      });
    } else {
      for_each_value(from, to, stream.order(), [&](double p) {
        return static_cast<double>(draw_poisson(stream, p * amount)) / amount;
      });
    }
  }
  return out;
}

Image pure_noise(int width, int height, NoiseStream& stream) {
  Image out = Image::blank(width, height);
  for (int y = 0; y < height; ++y) {
    std::span<uint8_t> to = out.row(y);
    for (size_t i = 0; i < to.size(); ++i)
      to[place_of(i, stream.order())] = stream.coin() ? uint8_t{255} : uint8_t{0};
  }
  return out;
}

std::string level_name(double sigma) {
  double power = 10;
  for (int exponent = 1; exponent <= 6; ++exponent, power *= 10) {
    if (sigma == power) return fmt::format("e{}", exponent);
  }
  return fmt::format("s{}", sigma);
}

std::optional<double> sigma_of_level(std::string_view level) {
  if (level.size() < 2 || (level[0] != 'e' && level[0] != 's')) return std::nullopt;
  // "e2" is the number 1e2.
  const std::string text =
      level[0] == 'e' ? fmt::format("1{}", level) : std::string(level.substr(1));
  double sigma = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), sigma);
  const bool is_number = code == std::errc{} && end == text.data() + text.size();
  if (!is_number || !std::isfinite(sigma) || sigma < 0 || level_name(sigma) != level)
    return std::nullopt;
  return sigma;
}

}  // namespace snellen::media
