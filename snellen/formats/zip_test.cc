// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/zip.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::formats {
namespace {

namespace handmade = models::handmade;

TEST(Zip, ListsStoredEntriesAndUnpacksThem) {
  std::string archive = handmade::zip({{"top/a", "abc"}, {"top/b", ""}});
  std::vector<ZipEntry> entries = read_zip_directory(archive, "w.bin");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "top/a");
  EXPECT_EQ(entries[0].packed, "abc");
  EXPECT_EQ(unpack(entries[0], 3, "w.bin"), "abc");
  EXPECT_THROW(unpack(entries[0], 2, "w.bin"), Error);
  EXPECT_EQ(entries[1].packed, "");
}

TEST(Zip, RefusesAnArchiveCutAnywhere) {
  std::string archive = handmade::zip({{"top/a", "abc"}, {"top/b", "defgh"}});
  for (size_t size = 0; size < archive.size(); ++size)
    EXPECT_THROW(read_zip_directory(archive.substr(0, size), "w.bin"), Error) << size;
}

TEST(Zip, RefusesANameTwiceAndADamagedEntry) {
  EXPECT_THROW(read_zip_directory(handmade::zip({{"a", "1"}, {"a", "2"}}), "w.bin"), Error);
  std::string archive = handmade::zip({{"a", "content"}});
  archive[archive.find("content")] = 'C';
  std::vector<ZipEntry> entries = read_zip_directory(archive, "w.bin");
  EXPECT_THROW(unpack(entries[0], 100, "w.bin"), Error);
}

TEST(Zip, RefusesDirectoriesThatPointOutside) {
  std::string archive = handmade::zip({{"a", "content"}});
  size_t end = archive.rfind("PK\5\6");
  std::string wrong = archive;
  wrong.replace(end + 16, 4, "\xf0\xff\xff\x7f");  // where the directory begins
  EXPECT_THROW(read_zip_directory(wrong, "w.bin"), Error);
  size_t entry = archive.rfind("PK\1\2");
  wrong = archive;
  wrong.replace(entry + 42, 4, "\x01\x01\x01\x01");  // where the entry begins
  EXPECT_THROW(read_zip_directory(wrong, "w.bin"), Error);
  wrong = archive;
  wrong.replace(entry + 20, 4, "\xff\xff\xff\xff");  // its packed size, without a zip64 field
  EXPECT_THROW(read_zip_directory(wrong, "w.bin"), Error);
}

// The same archive with its sizes and offsets in zip64 records, as torch writes above 4 GB.
TEST(Zip, ReadsZip64Records) {
  std::string local = "PK\3\4" + handmade::zip({{"a", "xyz"}}).substr(4, 26) + "axyz";
  std::string crc = local.substr(14, 4);
  std::string ones(4, '\xff');
  std::string extra = handmade::little_endian(1, 2) + handmade::little_endian(24, 2) +
                      handmade::little_endian(3, 8) + handmade::little_endian(3, 8) +
                      handmade::little_endian(0, 8);
  std::string directory =
      "PK\1\2" + handmade::little_endian(45, 2) + handmade::little_endian(45, 2) +
      std::string(8, '\0') + crc + ones + ones + handmade::little_endian(1, 2) +
      handmade::little_endian(extra.size(), 2) + std::string(10, '\0') + ones + "a" + extra;
  std::string record =
      "PK\6\6" + handmade::little_endian(44, 8) + std::string(4, '\0') + std::string(8, '\0') +
      handmade::little_endian(1, 8) + handmade::little_endian(1, 8) +
      handmade::little_endian(directory.size(), 8) + handmade::little_endian(local.size(), 8);
  std::string locator = "PK\6\7" + std::string(4, '\0') +
                        handmade::little_endian(local.size() + directory.size(), 8) +
                        handmade::little_endian(1, 4);
  std::string end =
      "PK\5\6" + std::string(4, '\0') + std::string(4, '\xff') + ones + ones + std::string(2, '\0');
  std::string archive = local + directory + record + locator + end;
  std::vector<ZipEntry> entries = read_zip_directory(archive, "w.bin");
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(unpack(entries[0], 3, "w.bin"), "xyz");
}

TEST(Zip, UnpacksZstdAndRefusesDamagedOnes) {
  std::string archive = read_text_file(std::filesystem::path(SNELLEN_SOURCE_DIR) / "fuzz" /
                                       "corpus" / "zip" / "zstd.zip");
  std::vector<ZipEntry> entries = read_zip_directory(archive, "log.eval");
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_TRUE(entries[0].is_zstd);
  EXPECT_EQ(unpack(entries[0], 1000, "log.eval").substr(0, 9), "{\"id\": 1,");
  EXPECT_THROW(unpack(entries[0], 10, "log.eval"), Error);
  entries[0].num_unpacked_bytes += 1;
  EXPECT_THROW(unpack(entries[0], 1000, "log.eval"), Error);
  entries[0].num_unpacked_bytes -= 2;
  EXPECT_THROW(unpack(entries[0], 1000, "log.eval"), Error);
  entries[0].packed.remove_suffix(3);
  EXPECT_THROW(unpack(entries[0], 1000, "log.eval"), Error);
}

}  // namespace
}  // namespace snellen::formats
