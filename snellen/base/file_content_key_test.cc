// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/file_content_key.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen {
namespace {

TEST(FileContentKey, IsThatOfTheBytesWhateverTheirNumber) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "hashed.bin";
  for (const size_t size : {size_t{0}, size_t{1}, size_t{240}, size_t{262'144}, size_t{700'001}}) {
    std::string bytes(size, '\0');
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 + i / 256);
    write_text_file(file, bytes);
    EXPECT_EQ(content_key_of_file(file), content_key(bytes)) << size;
  }
}

TEST(FileContentKey, NamesWhatIsNoFile) {
  EXPECT_THROW((void)content_key_of_file(testing::TempDir()), Error);
  EXPECT_THROW((void)content_key_of_file("/no/such/file"), Error);
}

}  // namespace
}  // namespace snellen
