// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "snellen/base/error.h"

namespace snellen {
namespace {

std::filesystem::path fresh_folder(const char* name) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(AtomicFile, AppearsWholeOrNotAtAll) {
  auto folder = fresh_folder("snellen_atomic");
  {
    AtomicFile abandoned(folder / "a");
    abandoned.write("half");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  write_text_file(folder / "deep" / "a", "whole");
  EXPECT_EQ(read_text_file(folder / "deep" / "a"), "whole");
}

TEST(MappedFile, RefusesFoldersAndFifosAndNamesMissingFiles) {
  auto folder = fresh_folder("snellen_mapped");
  EXPECT_THROW(MappedFile{folder}, Error);
  ::mkfifo((folder / "fifo").c_str(), 0600);
  EXPECT_THROW(MappedFile{folder / "fifo"}, Error);
  EXPECT_THROW(MappedFile{folder / "absent"}, Error);
  write_text_file(folder / "empty", "");
  EXPECT_TRUE(MappedFile{folder / "empty"}.bytes().empty());
}

// Pages of this process that come from files, as the system counts them.
size_t num_file_pages() {
  std::ifstream file("/proc/self/statm");
  size_t total = 0, resident = 0, shared = 0;
  file >> total >> resident >> shared;
  return shared;
}

TEST(MappedFile, GivesItsPagesBackAndStillReadsThem) {
  auto folder = fresh_folder("snellen_released");
  write_text_file(folder / "large", std::string(size_t{8} << 20, 'x'));
  MappedFile file(folder / "large");
  EXPECT_EQ(std::count(file.bytes().begin(), file.bytes().end(), 'x'), 8 << 20);
  size_t num_before = num_file_pages();
  file.release_pages();
  EXPECT_LE(num_file_pages() + 1000, num_before);  // of 2048
  EXPECT_EQ(file.bytes().back(), 'x');
}

TEST(StaysInside, RefusesPathsThatEscape) {
  EXPECT_TRUE(stays_inside("a/b.jpg"));
  EXPECT_FALSE(stays_inside("../b.jpg"));
  EXPECT_FALSE(stays_inside("a/../../b"));
  EXPECT_FALSE(stays_inside("/etc/passwd"));
}

}  // namespace
}  // namespace snellen
