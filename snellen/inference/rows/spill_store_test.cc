// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/rows/spill_store.h"

#include <array>
#include <thread>

#include <gmock/gmock.h>

namespace snellen::inference {
namespace {

using testing::ElementsAre;

TEST(SpillStore, GivesBackWhatItTookAndKeepsTheFirst) {
  SpillStore memory(testing::TempDir(), 100);
  const std::array<std::byte, 3> abc = {std::byte{1}, std::byte{2}, std::byte{3}};
  std::vector<std::byte> found;
  EXPECT_FALSE(memory.find({1, 1}, found));
  memory.add({1, 1}, abc);
  memory.add({1, 2}, {});
  memory.add({1, 1}, std::span(abc).first(1));
  EXPECT_TRUE(memory.find({1, 1}, found));
  EXPECT_THAT(found, ElementsAre(std::byte{1}, std::byte{2}, std::byte{3}));
  EXPECT_TRUE(memory.find({1, 2}, found));
  EXPECT_TRUE(found.empty());
}

TEST(SpillStore, KeepsNothingBeyondItsRoom) {
  SpillStore memory(testing::TempDir(), 10);
  const std::array<std::byte, 6> six = {};
  std::vector<std::byte> found;
  memory.add({1, 1}, six);
  memory.add({1, 2}, six);
  EXPECT_TRUE(memory.find({1, 1}, found));
  EXPECT_FALSE(memory.find({1, 2}, found));
}

TEST(SpillStore, AFolderThatCannotBeWrittenIsNoFailure) {
  SpillStore memory("/proc/nowhere", 10);
  const std::array<std::byte, 2> two = {};
  memory.add({1, 1}, two);
  std::vector<std::byte> found;
  EXPECT_FALSE(memory.find({1, 1}, found));
}

TEST(SpillStore, TakesFromManyThreads) {
  SpillStore memory(testing::TempDir(), 1 << 20);
  std::vector<std::jthread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < 200; ++i) {
        const std::array<uint64_t, 2> value = {i, i * i};
        memory.add({i, 0}, std::as_bytes(std::span(value)));
        std::vector<std::byte> found;
        if (memory.find({(i * 7 + thread) % 200, 0}, found)) {
          EXPECT_EQ(found.size(), 16U);
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(memory.size(), 200U);
}

}  // namespace
}  // namespace snellen::inference
