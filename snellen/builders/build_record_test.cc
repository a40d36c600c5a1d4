// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/build_record.h"

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/builders/interner.h"
#include "snellen/builders/output_folder.h"
#include "snellen/builders/relcomp_rule.h"

namespace snellen::builders {
namespace {

namespace fs = std::filesystem;

TEST(BuildRecord, ReadsWhatItWrote) {
  fs::path folder = fs::path(testing::TempDir()) / "build_record";
  fs::create_directories(folder);
  BuildRecord record{.builder = "probe-r",
                     .options = {{"seed", "7"}},
                     .sources = {{"objects", "/a/objects.json"}},
                     .counts = {{"Probe-R", "groups", 3, "99,960"}},
                     .skipped_image_ids = {4},
                     .is_complete = false};
  record.write(folder);
  BuildRecord read = BuildRecord::read(folder);
  EXPECT_EQ(read.builder, "probe-r");
  EXPECT_EQ(read.option("seed"), "7");
  EXPECT_EQ(read.source("objects"), "/a/objects.json");
  EXPECT_EQ(read.option("absent"), "");
  EXPECT_FALSE(read.is_complete);
  EXPECT_EQ(read.first_difference(record), "");
  record.options[0].second = "8";
  EXPECT_EQ(read.first_difference(record), "seed: '7', now '8'");
  write_text_file(folder / kBuildRecordName, "[]");
  EXPECT_THROW(BuildRecord::read(folder), Error);
}

TEST(OutputFolder, IsClearedOfWhatAKilledBuildLeftAndOfNothingElse) {
  fs::path folder = fs::path(testing::TempDir()) / "output_folder" / "deep";
  { FileLock lock = open_output_folder(folder); }
  write_text_file(folder / "a.json", "x");
  write_text_file(folder / "gear.part", "x");
  const fs::path ours = half_written_path(folder / "a.json");
  write_text_file(ours, "x");
  { FileLock lock = open_output_folder(folder); }
  EXPECT_TRUE(fs::exists(folder / "a.json"));
  EXPECT_TRUE(fs::exists(folder / "gear.part"));
  EXPECT_FALSE(fs::exists(ours));
  EXPECT_THROW((void)open_output_folder(folder / "a.json"), Error);
}

TEST(OutputFolder, IsWrittenByOneBuildAtATime) {
  fs::path folder = fs::path(testing::TempDir()) / "busy_folder";
  FileLock lock = open_output_folder(folder);
  EXPECT_THROW((void)open_output_folder(folder), Error);
}

TEST(Interner, NumbersTextsInOrderAndSortsThemByBytes) {
  Interner table;
  EXPECT_EQ(table.number_of("b"), 0U);
  EXPECT_EQ(table.number_of("a"), 1U);
  EXPECT_EQ(table.number_of("b"), 0U);
  Interner moved = std::move(table);
  EXPECT_EQ(moved.text(1), "a");
  EXPECT_EQ(moved.sorted(), (std::vector<uint32_t>{1, 0}));
}

TEST(RelCompRule, ReservesSevenAndAHalfPercent) {
  int num_reserved = 0;
  int num_training = 0;
  for (int64_t id = 0; id < 100'000; ++id) {
    num_reserved += is_reserved_for_relcomp(id) ? 1 : 0;
    num_training += is_in_training_split(id) ? 1 : 0;
  }
  EXPECT_NEAR(num_reserved, 7500, 250);  // three standard deviations
  EXPECT_NEAR(num_training, 90'000, 300);
}

}  // namespace
}  // namespace snellen::builders
