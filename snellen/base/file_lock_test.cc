// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/file_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen {
namespace {

namespace fs = std::filesystem;

fs::path fresh_folder(const char* name) {
  fs::path folder = fs::path(testing::TempDir()) / name;
  fs::remove_all(folder);
  return folder;
}

ErrorCode refusal(const fs::path& file) {
  try {
    FileLock lock(file, "wait for it");
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

TEST(FileLock, IsHeldByOneAndLeavesNoFile) {
  fs::path folder = fresh_folder("snellen_file_lock");
  {
    FileLock first(folder / "build.lock", "wait for it");
    EXPECT_EQ(refusal(folder / "build.lock"), ErrorCode::kBusy);
    FileLock moved = std::move(first);
    EXPECT_EQ(refusal(folder / "build.lock"), ErrorCode::kBusy);
  }
  EXPECT_FALSE(fs::exists(folder));
  FileLock again(folder / "build.lock", "wait for it");
}

TEST(FileLock, LeavesTheFoldersThatWereThereOrHoldAnything) {
  const fs::path folder = fresh_folder("snellen_made_folders");
  fs::create_directories(folder);
  { FileLock lock(folder / "a" / "b" / "build.lock", "wait for it"); }
  EXPECT_TRUE(fs::is_empty(folder));
  {
    FileLock lock(folder / "a" / "b" / "build.lock", "wait for it");
    write_text_file(folder / "a" / "kept", "x");
  }
  EXPECT_TRUE(fs::exists(folder / "a" / "kept"));
  EXPECT_FALSE(fs::exists(folder / "a" / "b"));
  { FileLock lock(folder / "build.lock", "wait for it"); }
  EXPECT_TRUE(fs::exists(folder));
}

TEST(FileLock, DoesWhatItIsToldOnceWhileItIsHeld) {
  const fs::path file = fresh_folder("snellen_told_lock") / "build.lock";
  int times = 0;
  {
    FileLock first(file, "wait for it");
    first.on_release([&] {
      ++times;
      EXPECT_EQ(refusal(file), ErrorCode::kBusy);
    });
    const FileLock moved = std::move(first);
  }
  EXPECT_EQ(times, 1);
}

TEST(FileLock, GoesWithAProcessThatIsKilled) {
  fs::path folder = fresh_folder("snellen_killed_lock");
  pid_t child = ::fork();
  if (child == 0) {
    FileLock lock(folder / "run.lock", "wait for it");
    ::_exit(0);  // as kill -9: no destructor
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(folder / "run.lock"));
  FileLock lock(folder / "run.lock", "wait for it");
}

TEST(FileLock, SaysThatTheFolderCannotBeWritten) {
  fs::path folder = fresh_folder("snellen_no_lock");
  write_text_file(folder, "a file");
  EXPECT_EQ(refusal(folder / "build.lock"), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace snellen
