// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/scratch_folder.h"

#include <fstream>
#include <optional>

#include <gtest/gtest.h>

namespace snellen {
namespace {

TEST(ScratchFolder, IsGoneWithItsFiles) {
  std::optional<ScratchFolder> folder(std::in_place, "snellen-test");
  const std::filesystem::path path = folder->path();
  std::ofstream(*folder / "file") << "x";
  EXPECT_TRUE(path.filename().string().starts_with("snellen-test-"));
  EXPECT_TRUE(std::filesystem::exists(path / "file"));
  folder.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, IsItsOwnEachTime) {
  const ScratchFolder one, other;
  EXPECT_NE(one.path(), other.path());
}

}  // namespace
}  // namespace snellen
