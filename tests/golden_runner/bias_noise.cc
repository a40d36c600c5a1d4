// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/bias_noise.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/corruptions/noise.h"
#include "snellen/media/corruptions/noise_expectation.h"

namespace snellen::golden {
namespace {

constexpr double kRelative = 1e-8;

std::vector<uint8_t> bytes_of(const Json& rows) {
  std::vector<uint8_t> bytes;
  for (const Json& row : rows) {
    for (const Json& pixel : row) {
      for (const Json& value : pixel) bytes.push_back(value);
    }
  }
  return bytes;
}

std::string hex(uint64_t value) {
  return fmt::format("{:016x}", value);
}

void check_gaussians(media::NoiseStream& stream, const Json& want, Tally& tally, const char* what) {
  std::vector<double> values(want.size());
  stream.fill_gauss(values);
  for (size_t i = 0; i < values.size(); ++i) tally.near(values[i], want[i], 1e-8, what);
}

void check_streams(const Json& json, Tally& tally) {
  for (const Json& one : json["rng"]) {
    std::string seed = one["seed"];
    tally.start("rng " + seed);
    media::SplitMixStream words(std::stoull(seed));
    for (const Json& want : one["splitmix64"])
      tally.expect(hex(words.next()) == want.get<std::string>(), "splitmix64");
    media::SplitMixStream ours(std::stoull(seed));
    check_gaussians(ours, one["gauss_default"], tally, "gauss_default");
    media::NumpyStream numpy(static_cast<uint32_t>(std::stoull(seed)));
    check_gaussians(numpy, one["gauss_numpy_legacy"], tally, "gauss_numpy_legacy");
  }
  for (const Json& one : json["seed_derivation"]) {
    tally.start("seed " + one.dump());
    std::string image_id = one["image_id"];
    std::string level = one["level"];
    uint64_t state = media::state_of({.seed = one["global_seed"],
                                      .image_id = image_id,
                                      .level = level,
                                      .replicate = one["replicate"]});
    tally.expect(hex(state) == one["seed_hex"].get<std::string>(), "seed_hex");
  }
}

void check_tiny(const Json& tiny, Tally& tally) {
  media::Image picture = media::Image::blank(tiny["width"], tiny["height"]);
  picture.pixels = bytes_of(tiny["source_rgb"]);
  for (const Json& one : tiny["cases"]) {
    tally.start("tiny " + one["sigma"].dump());
    double sigma = one["sigma"];
    std::string level = one["level"];
    tally.expect(media::level_name(sigma) == level, "level");
    media::SplitMixStream ours(
        std::stoull(one["default_seed_hex"].get<std::string>(), nullptr, 16));
    auto noised = [&](media::NoiseStream& stream) {
      return media::noised(
          picture, media::NoiseKind::kGaussian, media::NoiseRule::kOurs, sigma, stream);
    };
    tally.expect(noised(ours).pixels == bytes_of(one["default_rgb"]), "default_rgb");
    media::NumpyStream numpy(one["numpy_seed"]);
    tally.expect(noised(numpy).pixels == bytes_of(one["numpy_bgr_order_rgb"]),
                 "numpy_bgr_order_rgb");
  }
}

void check_constants(const Json& cases, Tally& tally) {
  for (const Json& one : cases) {
    tally.start("constant " + one["value"].dump() + ", sigma " + one["sigma"].dump());
    media::Histogram histogram{};
    histogram.at(one["value"]) = 1;
    media::NoiseExpectation got = media::expected_noise(histogram, one["sigma"]);
    tally.near_relative(got.mean, one["mean"], kRelative, "mean");
    tally.near_relative(got.std * got.std, one["var"], kRelative, "var");
    tally.near_relative(got.share_of_0, one["p0"], kRelative, "p0");
    tally.near_relative(got.share_of_255, one["p255"], kRelative, "p255");
  }
}

// The same figures of a sample, for one channel.
media::NoiseExpectation measured(const media::Image& clean, const media::Image& noisy, size_t c) {
  media::NoiseExpectation out;
  double n = static_cast<double>(clean.pixels.size() / 3);
  for (size_t i = c; i < clean.pixels.size(); i += 3) {
    out.clean_mean += clean.pixels[i] / n;
    out.mean += noisy.pixels[i] / n;
    out.share_of_0 += (noisy.pixels[i] == 0) / n;
    out.share_of_255 += (noisy.pixels[i] == 255) / n;
  }
  double together = 0;
  for (size_t i = c; i < clean.pixels.size(); i += 3) {
    double p = clean.pixels[i] - out.clean_mean;
    double k = noisy.pixels[i] - out.mean;
    double change = static_cast<double>(noisy.pixels[i]) - clean.pixels[i];
    out.clean_std += p * p / n;
    out.std += k * k / n;
    out.mean_square_error += change * change / n;
    together += p * k / n;
  }
  out.clean_std = std::sqrt(out.clean_std);
  out.std = std::sqrt(out.std);
  out.correlation = together / (out.clean_std * out.std);
  return out;
}

media::Image ladder_rung(const media::Image& picture, const std::string& file, double sigma) {
  std::string stem = std::filesystem::path(file).stem().string();
  std::string level = media::level_name(sigma);
  media::SplitMixStream stream(
      media::NoiseKey{.seed = 0, .image_id = stem, .level = level, .replicate = 0});
  return media::noised(
      picture, media::NoiseKind::kGaussian, media::NoiseRule::kOurs, sigma, stream);
}

void check_image(const Json& one,
                 const media::Image& clean,
                 const media::Image& noisy,
                 Tally& tally) {
  size_t channel = std::string("RGB").find(one["channel"].get<std::string>());
  media::Histogram histogram{};
  for (size_t i = channel; i < clean.pixels.size(); i += 3) ++histogram[clean.pixels[i]];
  media::NoiseExpectation expected = media::expected_noise(histogram, one["sigma"]);
  media::NoiseExpectation sample = measured(clean, noisy, channel);
  struct Figure {
    const char* name;
    double expected;
    double sample;
    double tolerance;  // of the sample, as the vectors' README says
  };
  for (const Figure& figure : std::initializer_list<Figure>{
           {"clean_mean", expected.clean_mean, sample.clean_mean, 1e-6},
           {"clean_std", expected.clean_std, sample.clean_std, 1e-6},
           {"mean", expected.mean, sample.mean, 0.5},
           {"std", expected.std, sample.std, 0.4},
           {"p0", expected.share_of_0, sample.share_of_0, 0.002},
           {"p255", expected.share_of_255, sample.share_of_255, 0.002},
           {"corr_with_clean", expected.correlation, sample.correlation, 0.004},
           {"mse", expected.mean_square_error, sample.mean_square_error, 80}}) {
    tally.near_relative(figure.expected, one[figure.name], kRelative, figure.name);
    tally.near(
        figure.sample, one[figure.name], figure.tolerance, std::string("sample's ") + figure.name);
  }
}

// Grey means over a grid of size x size blocks.
std::vector<double> block_means(const media::Image& image, int size) {
  std::vector<double> means(static_cast<size_t>(size) * static_cast<size_t>(size));
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const uint8_t* pixel = image.row(y).data() + 3 * static_cast<size_t>(x);
      size_t block = static_cast<size_t>(y / (image.height / size)) * static_cast<size_t>(size) +
                     static_cast<size_t>(x / (image.width / size));
      means[block] += pixel[0] + pixel[1] + pixel[2];  // grey is the mean of the channels
    }
  }
  return means;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double n = static_cast<double>(a.size());
  double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  for (size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

void check_residual(const Json& one,
                    const media::Image& clean,
                    const media::Image& noisy,
                    Tally& tally) {
  std::string jpeg = media::encode_jpeg(noisy);
  tally.near_relative(static_cast<double>(jpeg.size()), one["jpeg_bytes"], 0.01, "jpeg_bytes");
  media::Image lossy = media::decode_image(jpeg, "encoded again").value();
  for (const auto& [name, want] : one.items()) {
    size_t at = name.find('@');
    if (at == std::string::npos) continue;
    int size = std::stoi(name.substr(at + 1));
    if (size < 1 || clean.width % size != 0 || clean.height % size != 0) continue;
    const media::Image& shown = name.starts_with("png") ? noisy : lossy;
    double got = correlation(block_means(clean, size), block_means(shown, size));
    double rho = want.get<double>();
    // The README's 0.02 and three standard errors, large where blocks are few.
    tally.near(got, want, 0.02 + 3 * (1 - rho * rho) / size, name);
  }
}

template <typename Check>
void for_each_picture(
    const Context& context, const Json& cases, Tally& tally, const char* what, Check check) {
  std::string loaded;
  media::Image clean;
  media::Image noisy;
  for (const Json& one : cases) {
    std::string file = one["image"];
    std::filesystem::path path = context.find_data("bias/images/" + file);
    if (path.empty()) {
      tally.skip(fmt::format("{}: {} is not there", what, file));
      continue;
    }
    std::string key = file + one["sigma"].dump();
    if (key != loaded) {
      clean = media::read_image(path).value();
      noisy = ladder_rung(clean, file, one["sigma"]);
      loaded = key;
    }
    tally.start(fmt::format("{} {} {}", what, key, one.value("channel", "")));
    check(one, clean, noisy, tally);
  }
}

}  // namespace

void check_noise_stats(const Context& context, Tally& tally) {
  Json json = context.json();
  check_streams(json, tally);
  check_tiny(json["tiny"], tally);
  check_constants(json["constant_pixels"], tally);
  for_each_picture(context, json["images"], tally, "picture", check_image);
  for_each_picture(
      context, json["measured_residual_correlation"], tally, "what is left", check_residual);
}

}  // namespace snellen::golden
