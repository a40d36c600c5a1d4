// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vectors/word2vec_file.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

class Word2Vec : public ::testing::Test {
 protected:
  std::filesystem::path write(std::string_view bytes) {
    std::filesystem::path path = std::filesystem::path(::testing::TempDir()) /
                                 ::testing::UnitTest::GetInstance()->current_test_info()->name();
    write_text_file(path, bytes);
    return path;
  }
  static std::map<std::string, std::vector<double>> read(const Word2VecFile& file) {
    std::map<std::string, std::vector<double>> words;
    file.for_each([&](std::string_view word, std::span<const double> vector) {
      words[std::string(word)].assign(vector.begin(), vector.end());
      return true;
    });
    return words;
  }
};

std::string binary_word(std::string_view word, const std::vector<float>& vector) {
  std::string out = std::string(word) + " ";
  out.append(reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float));
  return out + "\n";
}

TEST_F(Word2Vec, ReadsTheBinaryForm) {
  Word2VecFile file(
      write("2 3\n" + binary_word("he", {1, 0, 0.5F}) + binary_word("she", {-1, 0.25F, 0})));
  EXPECT_TRUE(file.is_binary());
  EXPECT_EQ(read(file)["she"], (std::vector<double>{-1, 0.25, 0}));
}

TEST_F(Word2Vec, ReadsTheTextFormWithAndWithoutItsFirstLine) {
  Word2VecFile with_header(write("2 2\nhe 1 0\nshe -1 0.5\n"));
  EXPECT_FALSE(with_header.is_binary());
  EXPECT_EQ(read(with_header)["she"], (std::vector<double>{-1, 0.5}));
  Word2VecFile without(write("he 1 0 2\nshe -1 0.5 1e-3"));
  EXPECT_EQ(without.dimension(), 3u);
  EXPECT_EQ(read(without).size(), 2u);
}

TEST_F(Word2Vec, ACutFileNamesTheWord) {
  std::string bytes = "2 3\n" + binary_word("he", {1, 0, 1}) + binary_word("she", {1, 2, 3});
  Word2VecFile file(write(bytes.substr(0, bytes.size() - 5)));
  try {
    read(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.where().find("word 2"), std::string::npos);
  }
}

TEST_F(Word2Vec, RefusesAnAbsurdDimension) {
  EXPECT_THROW(Word2VecFile(write("2 99999999999\nx")), Error);
  EXPECT_THROW(Word2VecFile(write("")), Error);
}

}  // namespace
}  // namespace snellen::text
