// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/ordered_pipeline.h"

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

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

TEST(OrderedPipeline, EndsWhenAskingWhetherToStopFails) {
  std::atomic<int> num_asked = 0;
  auto is_stopped = [&]() -> bool {
    if (++num_asked == 100) throw std::runtime_error("no answer");
    return false;
  };
  EXPECT_THROW(ordered_pipeline<uint64_t>(
                   1000000, 4, [](uint64_t i) { return i; }, [](uint64_t&&) {}, is_stopped),
               std::runtime_error);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
size_t mapped_bytes() {
  std::ifstream file("/proc/self/statm");
  size_t num_pages = 0;
  file >> num_pages;
  return num_pages * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

// Gives the process room for about `num_threads` more threads (each maps a stack of 8 MiB), runs
// the pipeline with 256 and ends with 0 when every result was taken.
[[noreturn]] void run_with_room_for(size_t num_threads) {
  ::alarm(60);  // a pipeline that hangs is killed
  const rlimit limit = {mapped_bytes() + num_threads * (size_t{9} << 20), RLIM_INFINITY};
  ::setrlimit(RLIMIT_AS, &limit);
  ::_exit(squares(256, 5000).size() == 5000 ? 0 : 1);
}

TEST(OrderedPipelineDeathTest, GoesOnWithTheThreadsThatStarted) {
  EXPECT_EXIT(run_with_room_for(8), testing::ExitedWithCode(0), "");
}

TEST(OrderedPipelineDeathTest, WorksAloneWhereNoThreadStarted) {
  EXPECT_EXIT(run_with_room_for(0), testing::ExitedWithCode(0), "");
}
#endif

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
