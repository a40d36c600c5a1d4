// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/network_threads.h"

#include <atomic>
#include <set>

#include <gtest/gtest.h>

namespace snellen::inference {
namespace {

TEST(NetworkThreads, DoEverythingInAFewThreads) {
  NetworkThreads two(2);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> sum = 0;
  std::vector<std::jthread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) {
        two.run([&] {
          sum += i;
          std::lock_guard lock(mutex);
          seen.insert(std::this_thread::get_id());
        });
      }
    });
  }
  callers.clear();
  EXPECT_EQ(sum, 50 * 28);
  EXPECT_LE(seen.size(), 2U);
  EXPECT_FALSE(seen.contains(std::this_thread::get_id()));
}

}  // namespace
}  // namespace snellen::inference
