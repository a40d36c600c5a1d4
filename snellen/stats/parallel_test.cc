// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/parallel.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace snellen::stats {
namespace {

TEST(ForRanges, VisitsEveryNumberOnce) {
  for (unsigned num_threads : {0U, 1U, 2U, 8U}) {
    for (uint64_t count : {0U, 1U, 16U, 17U, 1000U}) {
      std::vector<int> visits(count);
      for_ranges(count, num_threads, [&](uint64_t first, uint64_t last) {
        for (uint64_t i = first; i < last; ++i) ++visits[i];
      });
      EXPECT_EQ(visits, std::vector<int>(count, 1));
    }
  }
}

TEST(ForRanges, RethrowsTheFailureOfTheLowestRange) {
  for (unsigned num_threads : {1U, 4U}) {
    try {
      for_ranges(1000, num_threads, [](uint64_t first, uint64_t) {
        if (first >= 32) throw std::runtime_error(std::to_string(first));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "32");
    }
  }
}

}  // namespace
}  // namespace snellen::stats
