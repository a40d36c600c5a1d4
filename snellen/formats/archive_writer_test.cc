// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/archive_writer.h"

#include <gtest/gtest.h>

#include "snellen/formats/zip.h"

namespace snellen::formats {
namespace {

std::filesystem::path written(const char* name, ArchiveKind kind) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  ArchiveWriter writer(path, kind);
  writer.add("m/result.json", "[1, 2]");
  writer.add(std::string(150, 'd') + "/empty.txt", "");
  writer.finish();
  return path;
}

TEST(ArchiveWriter, WritesZipFilesThatTheReaderReads) {
  const std::string archive = read_text_file(written("a.zip", ArchiveKind::kZip));
  const std::vector<ZipEntry> entries = read_zip_directory(archive, "a.zip");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].name, "m/result.json");
  EXPECT_EQ(unpack(entries[0], 100, "a.zip"), "[1, 2]");
  EXPECT_EQ(unpack(entries[1], 100, "a.zip"), "");
}

TEST(ArchiveWriter, WritesTarFilesInBlocks) {
  const std::string archive = read_text_file(written("a.tar", ArchiveKind::kTar));
  // Header and content; the long name's header, name and file header; two empty blocks.
  ASSERT_EQ(archive.size(), 512U * 7);
  EXPECT_EQ(archive.substr(0, 13), "m/result.json");
  EXPECT_EQ(archive.substr(257, 5), "ustar");
  EXPECT_EQ(archive.substr(124, 11), "00000000006");
  EXPECT_EQ(archive.substr(512, 6), "[1, 2]");
  EXPECT_EQ(archive.substr(1024, 13), "././@LongLink");
}

TEST(ArchiveWriter, SameFilesSameBytesAndNothingWithoutAnEnd) {
  EXPECT_EQ(read_text_file(written("b.zip", ArchiveKind::kZip)),
            read_text_file(written("c.zip", ArchiveKind::kZip)));
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "never.zip";
  { ArchiveWriter(path, ArchiveKind::kZip).add("a", "b"); }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace snellen::formats
