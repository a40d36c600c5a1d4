// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/container_size.h"

#include <algorithm>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

using std::string_literals::operator""s;

std::optional<int64_t> claimed(const std::string& bytes) {
  return claimed_container_bytes(
      [&](int64_t offset, std::span<uint8_t> out) -> size_t {
        if (offset < 0 || static_cast<size_t>(offset) >= bytes.size()) return 0;
        const size_t count = std::min(out.size(), bytes.size() - static_cast<size_t>(offset));
        std::memcpy(out.data(), bytes.data() + offset, count);
        return count;
      },
      static_cast<int64_t>(bytes.size()));
}

TEST(ContainerSize, AddsTheBoxesOfAnMp4) {
  const std::string ftyp = "\0\0\0\x10"s + "ftypisom\0\0\0\0"s;
  EXPECT_EQ(claimed(ftyp), 16);
  EXPECT_EQ(claimed(ftyp + "\0\0\1\0mdat"s), 16 + 256);
  EXPECT_EQ(claimed(ftyp + "\0\0\0\1mdat\0\0\0\0\0\0\2\0"s), 16 + 512);
  EXPECT_EQ(claimed(ftyp + "\0\0\0\0mdatxyz"s), 27) << "to the end of the file";
  EXPECT_EQ(claimed(ftyp + "\0\0"s), 24) << "a head cut off";
  EXPECT_EQ(claimed(ftyp + "\0\0\0\1mdat\xff\xff\xff\xff\xff\xff\xff\xff"s), std::nullopt);
}

TEST(ContainerSize, ReadsTheSegmentOfAMatroska) {
  const std::string head = "\x1A\x45\xDF\xA3\x84"s + "abcd"s;
  EXPECT_EQ(claimed(head + "\x18\x53\x80\x67\x8A"s), 9 + 5 + 10);
  EXPECT_EQ(claimed(head + "\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff"s), std::nullopt)
      << "a live recording";
  EXPECT_EQ(claimed(head + "\x18\x53"s + "zz"s), 14) << "an id cut off";
}

TEST(ContainerSize, ReadsTheChunkOfAnAvi) {
  EXPECT_EQ(claimed("RIFF\x10\0\0\0AVI LIST"s), 24);
  EXPECT_EQ(claimed("RIFF\0\0\0\0AVI LIST"s), std::nullopt);
}

TEST(ContainerSize, KnowsNothingOfOthers) {
  EXPECT_EQ(claimed(""), std::nullopt);
  EXPECT_EQ(claimed("some words that go on"), std::nullopt);
}

}  // namespace
}  // namespace snellen::media
