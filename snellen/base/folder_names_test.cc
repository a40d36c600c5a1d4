// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/folder_names.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen {
namespace {

namespace fs = std::filesystem;

TEST(ExchangeFolders, GivesEachTheNameOfTheOther) {
  const fs::path folder = fs::path(testing::TempDir()) / "exchanged";
  write_text_file(folder / "a" / "first.txt", "1");
  write_text_file(folder / "b" / "second.txt", "2");
  exchange_folders(folder / "a", folder / "b");
  EXPECT_EQ(read_text_file(folder / "a" / "second.txt"), "2");
  EXPECT_EQ(read_text_file(folder / "b" / "first.txt"), "1");
}

TEST(ExchangeFolders, LeavesBothWhenOneIsMissing) {
  const fs::path folder = fs::path(testing::TempDir()) / "not_exchanged";
  write_text_file(folder / "a" / "first.txt", "1");
  EXPECT_THROW(exchange_folders(folder / "a", folder / "b"), Error);
  EXPECT_EQ(read_text_file(folder / "a" / "first.txt"), "1");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace snellen
