// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/noise.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "snellen/media/corruptions/gauss_pairs.h"
#include "snellen/media/corruptions/noise_expectation.h"

namespace snellen::media {
namespace {

// A stream whose Gaussians are given, to see the arithmetic alone.
class GivenStream final : public NoiseStream {
 public:
  explicit GivenStream(std::vector<double> values) : values_(std::move(values)) {}
  double u01() override { return values_.at(next_++); }
  void fill_gauss(std::span<double> values) override {
    for (double& value : values) value = u01();
  }
  bool coin() override { return u01() < 0.5; }
  ChannelOrder order() const override { return ChannelOrder::kRgb; }

 private:
  std::vector<double> values_;
  size_t next_ = 0;
};

Image grey(int width, int height, uint8_t value) {
  Image image = Image::blank(width, height);
  std::fill(image.pixels.begin(), image.pixels.end(), value);
  return image;
}

TEST(Noise, IsRoundedHalfToEvenThenSaturated) {
  // The check values of docs/spec/bias.md 1.3, added to 0 with sigma 1.
  GivenStream stream({-5, 0.5, 1.5, 2.5, 254.5, 255.5, 1e4, -1e4, 0.49});
  Image out = noised(grey(3, 1, 0), NoiseKind::kGaussian, NoiseRule::kOurs, 1, stream);
  EXPECT_EQ(out.pixels, (std::vector<uint8_t>{0, 0, 2, 2, 254, 255, 255, 0, 0}));
}

TEST(Noise, SaltAndPepperTakesChannelsTogetherButTheReferenceDoesNot) {
  GivenStream stream({0.1, 0.4, 0.6});
  Image out = noised(grey(3, 1, 9), NoiseKind::kSaltAndPepper, NoiseRule::kOurs, 0.5, stream);
  EXPECT_EQ(out.pixels, (std::vector<uint8_t>{0, 0, 0, 255, 255, 255, 9, 9, 9}));
  GivenStream coins({0.1, 0.9, 0.1});
  out = noised(grey(1, 1, 9), NoiseKind::kSaltAndPepper, NoiseRule::kReference, 100, coins);
  EXPECT_EQ(out.pixels, (std::vector<uint8_t>{9, 0, 9}));
}

TEST(Noise, ReferencePoissonOnlyBrightensAndOursKeepsTheMean) {
  SplitMixStream stream(1);
  Image before = grey(64, 64, 100);
  Image after = noised(before, NoiseKind::kPoisson, NoiseRule::kReference, 20, stream);
  double sum = 0;
  for (uint8_t value : after.pixels) {
    ASSERT_GE(value, 100);
    sum += value;
  }
  EXPECT_NEAR(sum / static_cast<double>(after.pixels.size()), 120, 0.2);  // s.e. 0.04
  after = noised(before, NoiseKind::kPoisson, NoiseRule::kOurs, 0.5, stream);
  sum = 0;
  for (uint8_t value : after.pixels) sum += value;
  EXPECT_NEAR(sum / static_cast<double>(after.pixels.size()), 100, 0.6);  // s.e. 0.13
}

TEST(Noise, AmountsOutOfRangeAreRefused) {
  EXPECT_TRUE(refuse_amount(NoiseKind::kGaussian, NoiseRule::kOurs, -1));
  EXPECT_TRUE(refuse_amount(NoiseKind::kGaussian, NoiseRule::kOurs, std::nan("")));
  EXPECT_TRUE(refuse_amount(NoiseKind::kSaltAndPepper, NoiseRule::kOurs, 1.5));
  EXPECT_FALSE(refuse_amount(NoiseKind::kSaltAndPepper, NoiseRule::kReference, 100));
  EXPECT_TRUE(refuse_amount(NoiseKind::kPoisson, NoiseRule::kOurs, 0));
}

TEST(Noise, LevelsArePowersOfTenOrSaySigma) {
  EXPECT_EQ(level_name(100), "e2");
  EXPECT_EQ(level_name(1e4), "e4");
  EXPECT_EQ(level_name(25), "s25");
  EXPECT_EQ(level_name(0.5), "s0.5");
  EXPECT_EQ(level_name(0), "s0");
  EXPECT_EQ(sigma_of_level("e2"), 100);
  EXPECT_EQ(sigma_of_level("s25"), 25);
  for (const char* other : {"", "e", "e2.5", "e02", "s100", "s-1x", "clean", "s", "en", "snan"})
    EXPECT_EQ(sigma_of_level(other), std::nullopt) << other;
}

TEST(NoiseKind, AnUnknownOneNamesTheNearest) {
  EXPECT_EQ(*noise_kind_of("poisson"), NoiseKind::kPoisson);
  EXPECT_EQ(noise_kind_of("gausian").error().hint(), "did you mean 'gaussian'?");
}

TEST(SplitMixStream, GaussiansDoNotDependOnHowTheyAreAskedFor) {
  std::vector<double> at_once(101);
  SplitMixStream one(7);
  one.fill_gauss(at_once);
  SplitMixStream other(7);
  std::vector<double> piecewise(101);
  std::span<double> rest = piecewise;
  for (size_t length : {1u, 3u, 0u, 2u, 40u, 55u}) {
    other.fill_gauss(rest.first(length));
    rest = rest.subspan(length);
  }
  EXPECT_EQ(at_once, piecewise);
  EXPECT_EQ(one.next(), other.next());
}

TEST(GaussPairs, AgreeWithTheMathematicsLibrary) {
  std::vector<double> values(200000);
  fill_gauss_pairs(123, values);
  SplitMixStream stream(123);
  for (size_t i = 0; i < values.size(); i += 2) {
    double u1 = (static_cast<double>(stream.next() >> 11) + 1) * 0x1.0p-53;
    double u2 = static_cast<double>(stream.next() >> 11) * 0x1.0p-53;
    double radius = std::sqrt(-2 * std::log(u1));
    // The angle is rounded in the library's way, exact in ours: a few units in the last place.
    ASSERT_NEAR(values[i], radius * std::cos(2 * std::numbers::pi * u2), 4e-15 * radius);
    ASSERT_NEAR(values[i + 1], radius * std::sin(2 * std::numbers::pi * u2), 4e-15 * radius);
  }
}

TEST(GaussPairs, AreTheSameBitsOnEveryLevel) {
  std::vector<double> plain(10006);
  fill_gauss_pairs(99, plain, SimdLevel::kPlain);
  for (SimdLevel level : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (!is_supported(level)) continue;
    std::vector<double> values(plain.size());
    fill_gauss_pairs(99, values, level);
    EXPECT_EQ(values, plain);
  }
}

TEST(NumpyStream, IsTheLegacyGenerator) {
  // numpy.random.RandomState(42).random_sample(2), then randn(2) of a fresh one.
  NumpyStream uniform(42);
  EXPECT_DOUBLE_EQ(uniform.u01(), 0.3745401188473625);
  EXPECT_DOUBLE_EQ(uniform.u01(), 0.9507143064099162);
  NumpyStream normal(42);
  std::array<double, 2> values{};
  normal.fill_gauss(values);
  EXPECT_NEAR(values[0], 0.4967141530112327, 1e-15);
  EXPECT_NEAR(values[1], -0.13826430117118466, 1e-15);
}

TEST(PureNoise, IsHalfBlackHalfWhite) {
  SplitMixStream stream(3);
  Image out = pure_noise(100, 100, stream);
  int num_white = 0;
  for (uint8_t value : out.pixels) {
    ASSERT_TRUE(value == 0 || value == 255);
    num_white += value == 255;
  }
  EXPECT_NEAR(num_white, 15000, 400);  // standard deviation 87
}

TEST(NoiseExpectation, OfOneValueInTheMiddleIsRoundingOnly) {
  Histogram histogram{};
  histogram[128] = 10;
  NoiseExpectation expected = expected_noise(histogram, 1);
  EXPECT_NEAR(expected.mean, 128, 1e-12);
  EXPECT_NEAR(expected.std * expected.std, 1.083333322, 1e-8);  // golden/bias/noise_stats.json
  EXPECT_TRUE(std::isnan(expected.correlation));
}

}  // namespace
}  // namespace snellen::media
