// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/corruption.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "snellen/base/nearest.h"
#include "snellen/media/corruptions/noise.h"
#include "snellen/media/corruptions/spoilt.h"

namespace snellen::media {
namespace {

using Stream = SplitMixStream;

template <uint8_t kValue>
Result<Image> solid(const Image& picture, double, Stream&) {
  Image out = Image::blank(picture.width, picture.height);
  std::fill(out.pixels.begin(), out.pixels.end(), kValue);
  return out;
}

template <NoiseKind kKind>
Result<Image> with_noise(const Image& picture, double amount, Stream& stream) {
  return noised(picture, kKind, NoiseRule::kOurs, amount, stream);
}

Result<Image> unchanged(const Image& picture, double, Stream&) {
  return picture;
}
Result<Image> with_mean_colour(const Image& picture, double, Stream&) {
  return mean_colour(picture);
}
Result<Image> with_pure_noise(const Image& picture, double, Stream& stream) {
  return pure_noise(picture.width, picture.height, stream);
}
Result<Image> with_blur(const Image& picture, double sigma, Stream&) {
  return blurred(picture, sigma);
}
Result<Image> with_pixels_shuffled(const Image& picture, double, Stream& stream) {
  return pixels_shuffled(picture, stream);
}
Result<Image> with_patches_shuffled(const Image& picture, double k, Stream& stream) {
  return patches_shuffled(picture, static_cast<int>(k), stream);
}
Result<Image> with_phases_randomised(const Image& picture, double, Stream& stream) {
  return phases_randomised(picture, stream);
}
Result<Image> with_occlusion(const Image& picture, double share, Stream&) {
  return occluded(picture, share);
}

constexpr CorruptionFacts pixels(std::string_view name,
                                 std::string_view summary,
                                 Result<Image> (*apply)(const Image&, double, Stream&),
                                 std::optional<ParameterFacts> parameter = std::nullopt) {
  return {.name = name,
          .summary = summary,
          .shows = Shows::kPixels,
          .parameter = parameter,
          .apply = apply};
}

constexpr CorruptionFacts instead(std::string_view name, std::string_view summary, Shows shows) {
  return {.name = name,
          .summary = summary,
          .shows = shows,
          .parameter = std::nullopt,
          .apply = nullptr};
}

constexpr ParameterFacts kSigma{.name = "SIGMA", .low = 0, .high = 1e6};

constexpr std::array kCatalogue = {
    pixels("clean", "the picture unchanged", unchanged),
    instead("none", "no picture at all", Shows::kNothing),
    pixels("gray", "every value 128", solid<128>),
    pixels("black", "every value 0", solid<0>),
    pixels("white", "every value 255", solid<255>),
    pixels("meancolor", "every pixel the picture's mean colour", with_mean_colour),
    pixels("pure", "values 0 or 255 by coin, independent of the picture", with_pure_noise),
    pixels("gauss",
           "Gaussian noise, SIGMA in grey levels, clipped to 0..255",
           with_noise<NoiseKind::kGaussian>,
           kSigma),
    pixels("uniform",
           "uniform noise between -SIGMA and SIGMA grey levels, clipped to 0..255",
           with_noise<NoiseKind::kUniform>,
           kSigma),
    pixels("salt_and_pepper",
           "a SHARE of the pixels black or white with equal chance",
           with_noise<NoiseKind::kSaltAndPepper>,
           ParameterFacts{.name = "SHARE", .low = 0, .high = 1}),
    pixels("poisson",
           "photon noise: Poisson(value times FACTOR) / FACTOR",
           with_noise<NoiseKind::kPoisson>,
           ParameterFacts{.name = "FACTOR", .low = 1e-6, .high = 1e4}),
    pixels("blur",
           "Gaussian blur, SIGMA in pixels",
           with_blur,
           ParameterFacts{.name = "SIGMA", .low = 0, .high = 256, .is_low_allowed = false}),
    pixels("pixshuffle", "all pixels permuted: keeps the histogram", with_pixels_shuffled),
    pixels("patchshuffle",
           "a K x K grid of patches permuted: keeps local texture",
           with_patches_shuffled,
           ParameterFacts{.name = "K", .low = 1, .high = 4096, .is_whole = true}),
    pixels("phase", "random Fourier phases: keeps the spectrum", with_phases_randomised),
    instead("mismatch", "the picture of another item", Shows::kOtherPicture),
    instead("mismatch-in-category",
            "the picture of another item of the same category",
            Shows::kOtherPicture),
    pixels("occlude",
           "a centred grey square over a SHARE of the area",
           with_occlusion,
           ParameterFacts{.name = "SHARE", .low = 0, .high = 1}),
    instead("reverse", "the sampled frames of a clip from the last to the first", Shows::kFrames),
    instead("frameshuffle", "the sampled frames of a clip in a random order", Shows::kFrames),
    instead("freeze", "the middle one of the sampled frames in the place of each", Shows::kFrames),
    instead("oneframe", "the middle one of the sampled frames alone", Shows::kFrames),
};

Error usage_error(std::string what, const CorruptionFacts& facts) {
  std::string range = facts.range();
  return Error{ErrorCode::kUsage,
               std::move(what),
               "",
               range.empty() ? fmt::format("write {}", facts.usage())
                             : fmt::format("write {} with {}", facts.usage(), range)};
}

bool is_allowed(double value, const ParameterFacts& facts) {
  bool is_inside =
      (facts.is_low_allowed ? value >= facts.low : value > facts.low) && value <= facts.high;
  return is_inside && (!facts.is_whole || value == std::floor(value));
}

}  // namespace

std::string CorruptionFacts::usage() const {
  return parameter ? fmt::format("{}:{}", name, parameter->name) : std::string(name);
}

std::string CorruptionFacts::range() const {
  if (!parameter) return {};
  return fmt::format("{} {} {} <= {}{}",
                     parameter->low,
                     parameter->is_low_allowed ? "<=" : "<",
                     parameter->name,
                     parameter->high,
                     parameter->is_whole ? ", whole" : "");
}

std::span<const CorruptionFacts> corruption_catalogue() {
  return kCatalogue;
}

std::string Corruption::name() const {
  if (!level_.empty()) return level_;
  return facts_->parameter ? fmt::format("{}:{}", facts_->name, parameter_)
                           : std::string(facts_->name);
}

Result<Corruption> corruption_of(std::string_view text) {
  if (const std::optional<double> sigma = sigma_of_level(text)) {
    const auto* gauss = std::find_if(
        kCatalogue.begin(), kCatalogue.end(), [](const auto& one) { return one.name == "gauss"; });
    if (is_allowed(*sigma, *gauss->parameter)) return Corruption(*gauss, *sigma, std::string(text));
  }
  size_t colon = std::min(text.find(':'), text.size());
  std::string_view name = text.substr(0, colon);
  const auto* facts = std::find_if(kCatalogue.begin(),
                                   kCatalogue.end(),
                                   [&](const CorruptionFacts& one) { return one.name == name; });
  if (facts == kCatalogue.end()) {
    std::vector<std::string> known;
    known.reserve(kCatalogue.size());
    for (const CorruptionFacts& one : kCatalogue) known.emplace_back(one.name);
    return Error{
        ErrorCode::kUsage, fmt::format("no corruption '{}'", name), "", suggest(name, known)};
  }
  bool has_parameter = colon < text.size();
  if (!facts->parameter) {
    if (has_parameter) return usage_error(fmt::format("'{}' takes no parameter", name), *facts);
    return Corruption(*facts, 0);
  }
  if (!has_parameter) return usage_error(fmt::format("'{}' lacks its parameter", name), *facts);
  std::string_view number = text.substr(colon + 1);
  double value = 0;
  auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), value);
  bool is_number = code == std::errc{} && end == number.data() + number.size();
  if (!is_number || !is_allowed(value, *facts->parameter)) {
    return usage_error(fmt::format("'{}' is no {} of '{}'", number, facts->parameter->name, name),
                       *facts);
  }
  return Corruption(*facts, value == 0 ? 0.0 : value);  // -0 is written 0
}

Result<Image> corrupted(const Corruption& corruption,
                        const Image& picture,
                        const CorruptionKey& key) {
  if (corruption.facts().apply == nullptr) {
    return Error{ErrorCode::kUsage,
                 fmt::format("'{}' does not change the picture's pixels", corruption.name()),
                 "",
                 "it is for tasks, which show something else in the picture's place"};
  }
  std::string level = corruption.name();
  SplitMixStream stream(NoiseKey{
      .seed = key.seed, .image_id = key.image_id, .level = level, .replicate = key.replicate});
  return corruption.facts().apply(picture, corruption.parameter(), stream);
}

}  // namespace snellen::media
