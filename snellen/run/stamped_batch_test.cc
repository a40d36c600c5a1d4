// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/stamped_batch.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

uint32_t batch_of(const std::string& stamp) {
  const fs::path folder = fs::path(testing::TempDir()) / "stamped_batch";
  fs::create_directories(folder);
  write_text_file(folder / "run.json", stamp);
  return stamped_batch(folder);
}

TEST(StampedBatch, IsThatOfTheRunThatGoesOn) {
  EXPECT_EQ(batch_of(R"({"identity": {"model": {"gpu_batch": "48"}}})"), 48U);
}

TEST(StampedBatch, IsNoneOfRunsThatStampedNone) {
  EXPECT_EQ(stamped_batch(fs::path(testing::TempDir()) / "no run is here"), 0U);
  EXPECT_EQ(batch_of(R"({"identity": {"model": {"device": "cpu"}}})"), 0U);
  EXPECT_EQ(batch_of(R"({"identity": 7})"), 0U);
}

TEST(StampedBatch, IsNoneOfNonsense) {
  for (const char* text : {"\"\"", "\"-4\"", "\"8 \"", "\"65537\"", "\"1e9\"", "8", "[]"})
    EXPECT_EQ(batch_of(std::string(R"({"identity": {"model": {"gpu_batch": )") + text + "}}}"), 0U)
        << text;
  EXPECT_THROW((void)batch_of("[[["), Error);
}

}  // namespace
}  // namespace snellen::run
