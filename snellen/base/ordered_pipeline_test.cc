// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/ordered_pipeline.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace snellen {
namespace {

std::vector<uint64_t> squares(unsigned num_threads, uint64_t count) {
  std::vector<uint64_t> taken;
  ordered_pipeline<uint64_t>(
      count,
      num_threads,
      [](uint64_t i) { return i * i; },
      [&](uint64_t&& x) { taken.push_back(x); },
      [] { return false; });
  return taken;
}

TEST(OrderedPipeline, TakesInOrderWhateverTheNumberOfThreads) {
  std::vector<uint64_t> one = squares(1, 1000);
  EXPECT_EQ(one.size(), 1000U);
  EXPECT_EQ(one, squares(2, 1000));
  EXPECT_EQ(one, squares(8, 1000));
  EXPECT_TRUE(squares(4, 0).empty());
}

TEST(OrderedPipeline, TakesEverythingBeforeTheLowestFailure) {
  std::vector<uint64_t> taken;
  auto make = [](uint64_t i) -> uint64_t {
    if (i >= 50) throw std::runtime_error(std::to_string(i));
    return i;
  };
  try {
    ordered_pipeline<uint64_t>(
        1000, 8, make, [&](uint64_t&& x) { taken.push_back(x); }, [] { return false; });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "50");
  }
  EXPECT_EQ(taken.size(), 50U);
}

TEST(OrderedPipeline, EndsWhenTakingFails) {
  auto take = [](uint64_t&& x) {
    if (x == 10) throw std::runtime_error("full");
  };
  EXPECT_THROW(ordered_pipeline<uint64_t>(
                   1000000, 4, [](uint64_t i) { return i; }, take, [] { return false; }),
               std::runtime_error);
}

TEST(OrderedPipeline, StopsSoonAndTakesWhatWasBegun) {
  std::atomic<bool> is_stopped = false;
  uint64_t next = 0;
  ordered_pipeline<uint64_t>(
      1000000,
      4,
      [](uint64_t i) { return i; },
      [&](uint64_t&& x) {
        EXPECT_EQ(x, next++);
        if (x == 100) is_stopped = true;
      },
      [&] { return is_stopped.load(); });
  EXPECT_GE(next, 101U);
  EXPECT_LT(next, 200U);
}

}  // namespace
}  // namespace snellen
