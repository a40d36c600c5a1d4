// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/sum.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/rng.h"

namespace snellen::stats {
namespace {

TEST(Sum, KeepsWhatPlainAdditionLoses) {
  Sum sum;
  for (double x : {1.0, 1e100, 1.0, -1e100}) sum.add(x);
  EXPECT_EQ(sum.value(), 2.0);
}

TEST(Sum, OfNothingIsZero) {
  EXPECT_EQ(Sum().value(), 0.0);
}

TEST(Sum, StaysInfiniteInsteadOfTurningIntoNaN) {
  Sum sum;
  sum.add(std::numeric_limits<double>::infinity());
  sum.add(1.0);
  EXPECT_EQ(sum.value(), std::numeric_limits<double>::infinity());
}

TEST(Sum, MergedPartsEqualTheWholeInAnyGrouping) {
  Rng rng = Rng(3).fork("sum");
  Sum whole;
  std::vector<Sum> parts(7);
  for (int i = 0; i < 10000; ++i) {
    double x = rng.gauss() * 1e6;
    whole.add(x);
    parts[static_cast<size_t>(i) % parts.size()].add(x);
  }
  Sum forward;
  Sum backward;
  for (size_t i = 0; i < parts.size(); ++i) {
    forward.merge(parts[i]);
    backward.merge(parts[parts.size() - 1 - i]);
  }
  // The compensated sum is within an ulp or two of the exact one, whatever the order.
  double ulp = std::abs(whole.value()) * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(forward.value(), whole.value(), 2 * ulp);
  EXPECT_NEAR(backward.value(), whole.value(), 2 * ulp);
}

}  // namespace
}  // namespace snellen::stats
