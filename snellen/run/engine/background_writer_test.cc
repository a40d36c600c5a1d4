// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/background_writer.h"

#include <string>

#include <gtest/gtest.h>

namespace snellen::run {
namespace {

std::vector<store::Sample> rows(uint64_t first, uint64_t count) {
  std::vector<store::Sample> rows;
  for (uint64_t position = first; position < first + count; ++position)
    rows.emplace_back(store::Sample{.position = position, .item = std::to_string(position)});
  return rows;
}

class BackgroundWriting : public testing::Test {
 protected:
  BackgroundWriting() {
    samples_.set_tasks(
        {{.name = "probe", .parts = {{.name = "all", .num_items = 30}}, .columns = {}}});
  }

  uint64_t num_written() {
    uint64_t count = 0;
    samples_.for_each(0, std::nullopt, [&](const store::Sample& sample) {
      EXPECT_EQ(sample.position, count);
      ++count;
    });
    return count;
  }

  store::Samples samples_ = store::Samples::open_in_memory();
};

TEST_F(BackgroundWriting, AllIsThereAfterWaiting) {
  BackgroundWriter writer([&](std::vector<store::Sample>& rows) { samples_.add(rows); });
  for (uint64_t first = 0; first < 30; first += 10) writer.write(rows(first, 10));
  writer.write({});
  writer.wait();
  EXPECT_EQ(num_written(), 30U);
}

TEST_F(BackgroundWriting, IsIdleWhenAllIsWritten) {
  BackgroundWriter writer([&](std::vector<store::Sample>& rows) { samples_.add(rows); });
  EXPECT_TRUE(writer.is_idle());
  writer.write(rows(0, 30));
  while (!writer.is_idle()) {
  }
  EXPECT_EQ(num_written(), 30U);
}

TEST_F(BackgroundWriting, WritesWhatItWasHandedBeforeItEnds) {
  {
    BackgroundWriter writer([&](std::vector<store::Sample>& rows) { samples_.add(rows); });
    writer.write(rows(0, 10));
  }
  EXPECT_EQ(num_written(), 10U);
}

TEST_F(BackgroundWriting, TellsOnceWhatWasWrongAndGoesOn) {
  BackgroundWriter writer([&](std::vector<store::Sample>& rows) { samples_.add(rows); });
  writer.write(rows(0, 10));
  writer.write(rows(0, 10));  // positions that are taken
  EXPECT_THROW(writer.write(rows(10, 10)), Error);
  writer.wait();
  writer.write(rows(10, 10));
  writer.wait();
  EXPECT_EQ(num_written(), 20U);
}

}  // namespace
}  // namespace snellen::run
