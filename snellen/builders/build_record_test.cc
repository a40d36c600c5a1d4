// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/build_record.h"

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/builders/output_folder.h"
#include "snellen/builders/relcomp_rule.h"

namespace snellen::builders {
namespace {

namespace fs = std::filesystem;

// Without what an earlier run of these tests left there.
fs::path new_folder(const char* name) {
  fs::path folder = fs::path(testing::TempDir()) / "build_record_test" / name;
  fs::remove_all(folder);
  return folder;
}

TEST(BuildRecord, ReadsWhatItWrote) {
  const fs::path folder = new_folder("build_record");
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
  const fs::path folder = new_folder("output_folder") / "deep";
  const fs::path ours = half_written_path(folder / "a.json");
  {
    FileLock lock = open_output_folder(folder, "probe-r", {"a.json"});
    write_text_file(folder / "a.json", "x");
    write_text_file(folder / "gear.part", "x");
    write_text_file(ours, "x");
  }
  { FileLock lock = open_output_folder(folder, "probe-r", {"a.json"}); }
  EXPECT_TRUE(fs::exists(folder / "a.json"));
  EXPECT_TRUE(fs::exists(folder / "gear.part"));
  EXPECT_FALSE(fs::exists(ours));
  EXPECT_THROW((void)open_output_folder(folder / "a.json", "probe-r", {}), Error);
}

TEST(OutputFolder, BelongsToItsBuilderUnlessNothingCameOut) {
  const fs::path folder = new_folder("other_folder");
  fs::create_directories(folder);
  BuildReport report;
  report.counts.push_back({"Probe-R", "groups", 0, ""});
  const BuildRecord record{.builder = "probe-r", .options = {}, .sources = {}};
  write_record(record, folder, report);
  { FileLock lock = open_output_folder(folder, "probe-c", {"a.json"}); }
  report.counts.push_back({"Probe-R", "items", 2, ""});
  write_record(record, folder, report);
  EXPECT_TRUE(fs::exists(folder / "NOTICE.txt"));
  EXPECT_THROW((void)open_output_folder(folder, "probe-c", {"a.json"}), Error);
}

TEST(OutputFolder, RefusesFilesOfItsNamesThatNoBuildMade) {
  const fs::path folder = new_folder("published_folder");
  write_text_file(folder / "a.json", "published");
  EXPECT_THROW((void)open_output_folder(folder, "probe-r", {"a.json", "b.json"}), Error);
  EXPECT_FALSE(fs::exists(folder / kBuildRecordName));
  // A build that failed claims nothing.
  { FileLock lock = open_output_folder(folder, "probe-c", {"c.json"}); }
  EXPECT_FALSE(fs::exists(folder / kBuildRecordName));
  // Of a build that ended before its time.
  {
    FileLock lock = open_output_folder(folder, "probe-r", {"b.json"});
    write_text_file(folder / "b.json", "ours");
  }
  EXPECT_NO_THROW((void)open_output_folder(folder, "probe-r", {"b.json"}));
}

TEST(OutputFolder, IsNotThereAfterABuildThatWasRefused) {
  const fs::path folder = new_folder("refused_build") / "deep";
  { FileLock lock = open_output_folder(folder, "probe-r", {"a.json"}); }
  EXPECT_FALSE(fs::exists(folder.parent_path()));
  write_text_file(folder / "notes.txt", "somebody's");
  { FileLock lock = open_output_folder(folder, "probe-r", {"a.json"}); }
  EXPECT_TRUE(fs::exists(folder / "notes.txt"));
  EXPECT_FALSE(fs::exists(folder / kBuildRecordName));
}

TEST(OutputFolder, KeepsNoFilesOfABuildFromWhichNothingCame) {
  const fs::path folder = new_folder("nothing_came");
  const FileLock lock = open_output_folder(folder, "probe-r", {"a.json"});
  write_text_file(folder / "a.json", "[]");
  BuildReport report;
  report.counts.push_back({"Probe-R", "groups", 0, ""});
  report.files = {folder / "a.json"};
  write_record({.builder = "probe-r", .options = {}, .sources = {}}, folder, report);
  EXPECT_FALSE(fs::exists(folder / "a.json"));
  EXPECT_FALSE(fs::exists(folder / kBuildRecordName));
}

TEST(OutputFolder, IsWrittenByOneBuildAtATime) {
  const fs::path folder = new_folder("busy_folder");
  FileLock lock = open_output_folder(folder, "probe-r", {"a.json"});
  EXPECT_THROW((void)open_output_folder(folder, "probe-r", {"a.json"}), Error);
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
