// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/hash.h"

#include "snellen/base/error.h"
#include "snellen/base/files.h"

#include <gtest/gtest.h>

namespace snellen {
namespace {

TEST(Sha256, AgreesWithThePublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheBytesArrive) {
  std::string text(200, 'x');
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 hash;
    hash.add(std::string_view(text).substr(0, cut));
    hash.add(std::string_view(text).substr(cut));
    EXPECT_EQ(hash.hex(), sha256_hex(text));
  }
}

TEST(Sha256, OfAFileSaysThatItCouldNotBeRead) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "snellen_hash";
  write_text_file(folder / "abc", "abc");
  EXPECT_EQ(sha256_of_file(folder / "abc"), sha256_hex("abc"));
  EXPECT_THROW(sha256_of_file(folder / "absent"), Error);
  EXPECT_THROW(sha256_of_file(folder), Error);  // a folder is no empty file
}

TEST(Fnv, AgreesWithThePublishedVector) {
  EXPECT_EQ(fnv1a64(""), 14695981039346656037U);
  EXPECT_EQ(fnv1a64("foobar"), 0x85944171f73967e8U);
}

}  // namespace
}  // namespace snellen
