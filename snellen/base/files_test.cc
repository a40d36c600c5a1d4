// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST(AtomicFile, FollowsNoLinkAndTakesNoNameThatIsThere) {
  auto folder = fresh_folder("snellen_exclusive");
  AtomicFile first(folder / "a"), second(folder / "a");
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(read_text_file(folder / "a"), "first");
  second.commit();
  EXPECT_EQ(read_text_file(folder / "a"), "second");
}

TEST(RemoveHalfWritten, TakesWhatIsOursAndNothingElse) {
  auto folder = fresh_folder("snellen_half_written");
  write_text_file(folder / "sub" / "thesis.zip.part", "x");
  write_text_file(folder / "gear.part", "x");
  write_text_file(folder / "a.1234.part", "x");
  write_text_file(folder / "a.snellen-0123.part", "x");
  write_text_file(half_written_path(folder / "sub" / "ours"), "x");
  write_text_file(half_written_path(folder / "folder") / "inside", "x");
  remove_half_written(folder);
  size_t num_left = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    num_left += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(num_left, 4U);
  write_text_file(half_written_path(folder / "sub" / "ours"), "x");
  const auto kept = half_written_path(folder / "sub" / "other");
  write_text_file(kept, "x");
  remove_half_written_in(folder / "sub", "ours");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "sub"), {}), 2);
  remove_half_written_in(folder);
  EXPECT_TRUE(std::filesystem::exists(kept));
  EXPECT_TRUE(std::filesystem::exists(folder / "sub" / "thesis.zip.part"));
}

TEST(FileBytes, KeepsWhatItReadAndWhenTheFileWasChanged) {
  auto folder = fresh_folder("snellen_bytes");
  write_text_file(folder / "a", "what was there");
  FileBytes file(folder / "a");
  std::filesystem::resize_file(folder / "a", 0);
  EXPECT_EQ(file.bytes(), "what was there");
  EXPECT_GT(file.mtime_ns(), 0);
  EXPECT_THROW(FileBytes{folder}, Error);
  EXPECT_THROW(FileBytes{folder / "absent"}, Error);
  write_text_file(folder / "a", "12345");
  EXPECT_THROW(FileBytes(folder / "a", 4), Error);
  EXPECT_EQ(FileBytes(folder / "a", 5).bytes(), "12345");
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(MappedFileDeathTest, EndsWithALineWhenTheFileIsCut) {
  auto folder = fresh_folder("snellen_cut");
  write_text_file(folder / "a", std::string(100000, 'x'));
  auto read_cut_file = [&] {
    exit_when_mapped_files_vanish(3);
    MappedFile file(folder / "a");
    std::filesystem::resize_file(folder / "a", 0);
    ::_exit(file.bytes()[50000] == 'x' ? 0 : 1);
  };
  EXPECT_EXIT(read_cut_file(), testing::ExitedWithCode(3), "a file was cut short");
}
#endif

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
