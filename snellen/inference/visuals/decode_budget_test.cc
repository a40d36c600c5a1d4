// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/decode_budget.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/media/codecs/encode.h"

namespace snellen::inference {
namespace {

TEST(DecodeBudget, HoldsNoMoreThanItsBytesWhateverTheThreads) {
  DecodeBudget budget(100);
  std::atomic<int> held = 0, most = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 200; ++round) {
          DecodeBudget::Share share(budget, 40);
          const int now = held += 40;
          int before = most;
          while (before < now && !most.compare_exchange_weak(before, now)) {
          }
          std::this_thread::yield();
          held -= 40;
        }
      });
    }
  }
  EXPECT_LE(most, 100);
  EXPECT_GE(most, 40);
}

TEST(DecodeBudget, LetsALargerPictureGoAlone) {
  DecodeBudget budget(100);
  std::atomic<int> num_inside = 0;
  std::atomic<bool> was_alone = true;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, is_large = i % 2 == 0] {
        for (int round = 0; round < 100; ++round) {
          DecodeBudget::Share share(budget, is_large ? 1'000'000 : 10);
          if (++num_inside > 1 && is_large) was_alone = false;
          std::this_thread::yield();
          --num_inside;
        }
      });
    }
  }
  EXPECT_TRUE(was_alone);
}

TEST(DecodeBudget, KnowsFromTheHeaderWhatAPictureCosts) {
  const std::string png = media::encode_png(media::Image::blank(20, 10));
  EXPECT_GE(DecodeBudget::bytes_to_decode(png), 600U);
  EXPECT_EQ(DecodeBudget::bytes_to_decode("no picture"), 0U);
}

}  // namespace
}  // namespace snellen::inference
