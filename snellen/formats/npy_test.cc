// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/npy.h"

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::formats {
namespace {

using namespace std::string_literals;

class NpyFile : public testing::Test {
 protected:
  std::vector<double> read(const std::string& bytes) {
    const std::string path = testing::TempDir() + "snellen_npy_test.npy";
    std::ofstream(path, std::ios::binary) << bytes;
    return read_npy(path);
  }
  static std::string npy(const std::string& descr,
                         const std::string& shape,
                         const std::string& data) {
    const std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n", descr, shape);
    return "\x93NUMPY\x01\x00"s + static_cast<char>(header.size()) + '\0' + header + data;
  }
};

TEST_F(NpyFile, HoldsIntegersOfAnyWidth) {
  EXPECT_EQ(read(npy("<i8", "(2,)", "\x07\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"s)),
            (std::vector<double>{7, -1}));
  EXPECT_EQ(read(npy("<i2", "(1,)", "\x00\x80"s)), (std::vector<double>{-32768}));
  EXPECT_EQ(read(npy("|u1", "(2,)", "\x01\xff"s)), (std::vector<double>{1, 255}));
}

TEST_F(NpyFile, HoldsFloats) {
  EXPECT_EQ(read(npy("<f4", "(1,)", "\0\0\xc0\x3f"s)), (std::vector<double>{1.5}));
  EXPECT_EQ(read(npy("<f8", "(1,)", "\0\0\0\0\0\0\xf8\x3f"s)), (std::vector<double>{1.5}));
}

TEST_F(NpyFile, HasALongHeaderInVersionTwo) {
  const std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }\n";
  EXPECT_EQ(read("\x93NUMPY\x02\x00"s + static_cast<char>(header.size()) + "\0\0\0"s + header +
                 "\x05\0\0\0"s),
            (std::vector<double>{5}));
}

TEST_F(NpyFile, MayBeEmpty) {
  EXPECT_TRUE(read(npy("<i8", "(0,)", "")).empty());
}

TEST_F(NpyFile, IsRefusedWhenItIsSomethingElse) {
  EXPECT_THROW(read("not numpy at all"), Error);
  EXPECT_THROW(read(""), Error);
  EXPECT_THROW(read(npy(">i8", "(1,)", "\0\0\0\0\0\0\0\1"s)), Error);
  EXPECT_THROW(read(npy("|O", "(1,)", "pickled")), Error);
  EXPECT_THROW(read(npy("<i8", "(1, 1)", "\0\0\0\0\0\0\0\0"s)), Error);
}

TEST_F(NpyFile, IsRefusedWhenItsSizeDoesNotFit) {
  EXPECT_THROW(read(npy("<i8", "(2,)", "\0\0\0\0\0\0\0\0"s)), Error);
  EXPECT_THROW(read(npy("<i8", "(1,)", "\0\0\0\0\0\0\0\0\0"s)), Error);
  EXPECT_THROW(read(npy("<i8", "(2305843009213693952,)", "")), Error);
  EXPECT_THROW(read("\x93NUMPY\x01\x00\xff\xff{}"s), Error);
  EXPECT_THROW(read_npy("/nowhere/at/all.npy"), Error);
}

TEST(Npy, ReadsBackWhatItWrites) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "snellen_npy_round_trip.npy";
  write_npy(path, std::vector<double>{1, 2, 3, 4, 5, 6.5}, 2, 3);
  const NpyMatrix matrix = read_npy_matrix(path);
  EXPECT_EQ(matrix.num_rows, 2U);
  EXPECT_EQ(matrix.num_columns, 3U);
  EXPECT_EQ(matrix.values.back(), 6.5);
  EXPECT_THROW(read_npy(path), Error);
  write_npy(path, std::vector<int64_t>{-7, 1});
  EXPECT_EQ(read_npy(path), (std::vector<double>{-7, 1}));
  EXPECT_EQ(read_npy_matrix(path).num_rows, 1U);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace snellen::formats
