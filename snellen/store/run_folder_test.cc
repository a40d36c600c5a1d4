// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/run_folder.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::store {
namespace {

TEST(RunLock, IsHeldByOneAtATime) {
  RunPaths paths(std::filesystem::path(testing::TempDir()) / "lock_test");
  {
    RunLock lock(paths);
    EXPECT_THROW(RunLock{paths}, Error);
  }
  EXPECT_NO_THROW(RunLock{paths});
}

TEST(Stamp, SaysWhenAFolderIsNoRun) {
  RunPaths paths(std::filesystem::path(testing::TempDir()) / "no_run");
  EXPECT_THROW(read_stamp(paths), Error);
  write_text_file(paths.stamp(), "[1]");
  EXPECT_THROW(read_stamp(paths), Error);
}

}  // namespace
}  // namespace snellen::store
