// SPDX-License-Identifier: Apache-2.0
// Parts that are merged come to what one pass comes to, however the items were split.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/rng.h"
#include "snellen/stats/moments.h"
#include "snellen/stats/sum.h"

namespace snellen {
namespace {

constexpr uint64_t kCases = 200;

// Numbers of very different sizes and both signs, as scores and likelihoods are.
std::vector<double> draw_numbers(Rng& rng) {
  std::vector<double> numbers(1 + rng.below(300));
  for (double& number : numbers) number = rng.gauss() * std::pow(10.0, double(rng.below(9)) - 4);
  return numbers;
}

// Feeds the numbers to parts that are cut at random places, and merges the parts in order.
template <typename Running>
Running merged_in_parts(const std::vector<double>& numbers, Rng& rng) {
  Running whole;
  for (size_t begin = 0; begin < numbers.size();) {
    const size_t end = begin + 1 + rng.below(numbers.size() - begin);
    Running part;
    for (size_t i = begin; i < end; ++i) part.add(numbers[i]);
    whole.merge(part);
    begin = end;
  }
  return whole;
}

double size_of(const std::vector<double>& numbers) {
  double size = 0;
  for (double number : numbers) size += std::abs(number);
  return size;
}

TEST(Merge, SumsOfPartsAreTheSumOfAll) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("merge-sum").fork(id);
    const std::vector<double> numbers = draw_numbers(rng);
    long double exact = 0;
    for (double number : numbers) exact += number;
    // A compensated sum is exact up to the last digit of the result and 1e-31 of what went in.
    const double tolerance = 2e-16 * std::abs(double(exact)) + 1e-18 * size_of(numbers);
    EXPECT_NEAR(merged_in_parts<stats::Sum>(numbers, rng).value(), double(exact), tolerance) << id;
  }
}

TEST(Merge, SumsOfWholeNumbersAreTheSameBits) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("merge-whole").fork(id);
    std::vector<double> numbers(1 + rng.below(300));
    for (double& number : numbers) number = double(rng.below(1 << 20)) - double(1 << 19);
    stats::Sum all;
    for (double number : numbers) all.add(number);
    EXPECT_EQ(merged_in_parts<stats::Sum>(numbers, rng).value(), all.value()) << id;
  }
}

TEST(Merge, MomentsOfPartsAreTheMomentsOfAll) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("merge-moments").fork(id);
    const std::vector<double> numbers = draw_numbers(rng);
    stats::Moments all;
    for (double number : numbers) all.add(number);
    const stats::Moments parts = merged_in_parts<stats::Moments>(numbers, rng);
    EXPECT_EQ(parts.count(), all.count());
    EXPECT_NEAR(parts.mean(), all.mean(), 1e-13 * size_of(numbers)) << id;
    if (numbers.size() > 1) {
      EXPECT_NEAR(parts.sample_sd(), all.sample_sd(), 1e-12 * all.sample_sd()) << id;
    }
  }
}

TEST(Merge, WithNothingChangesNothing) {
  stats::Sum sum;
  sum.add(0.1);
  sum.merge({});
  EXPECT_EQ(sum.value(), 0.1);
  stats::Moments moments;
  moments.add(0.1);
  moments.add(0.7);
  stats::Moments merged = moments;
  merged.merge({});
  EXPECT_EQ(merged.mean(), moments.mean());
  EXPECT_EQ(merged.sample_variance(), moments.sample_variance());
}

}  // namespace
}  // namespace snellen
