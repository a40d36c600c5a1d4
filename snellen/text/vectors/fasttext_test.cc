// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vectors/fasttext.h"

#include <cstring>
#include <filesystem>

#include <gmock/gmock.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Header {
  int32_t dim = 1;
  int32_t bucket = 2;
  int32_t minn = 1;
  int32_t maxn = 2;
  int32_t nwords = 2;
  int32_t nlabels = 0;
  int64_t num_rows = 4;
  uint8_t quantised = 0;
};

class FastTextFile : public testing::Test {
 protected:
  ~FastTextFile() override { std::filesystem::remove(path_); }

  template <typename T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  // Words "a" (row 10) and "bc" (row 20); bucket rows 1 and 2.
  void write(const Header& header, bool is_new = true) {
    bytes_.clear();
    if (is_new) {
      put(int32_t{793712314});
      put(int32_t{12});
    }
    put(header.dim);
    for (int i = 0; i < 7; ++i) put(int32_t{5});
    for (int32_t value : {header.bucket, header.minn, header.maxn, 100}) put(value);
    put(0.0);
    for (int32_t value : {header.nwords + header.nlabels, header.nwords, header.nlabels})
      put(value);
    put(int64_t{9});
    if (is_new) put(int64_t{-1});
    for (const char* word : {"a", "bc"}) {
      bytes_.append(word, std::strlen(word) + 1);
      put(int64_t{1});
      put(int8_t{0});
    }
    if (is_new) put(header.quantised);
    put(header.num_rows);
    put(int64_t{header.dim});
    for (float value : {10.f, 20.f, 1.f, 2.f}) put(value);
    write_text_file(path_, bytes_);
  }

  std::string failure() {
    try {
      FastText model(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return "it opened";
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      fmt::format("snellen_fasttext_{}.bin", reinterpret_cast<uintptr_t>(this));
  std::string bytes_;
};

TEST_F(FastTextFile, ReadsBothLayoutsAlike) {
  for (bool is_new : {true, false}) {
    write({}, is_new);
    FastText model(path_);
    EXPECT_EQ(model.dim(), 1u);
    EXPECT_EQ(model.num_words(), 2u);
    EXPECT_TRUE(model.contains("bc"));
    EXPECT_FALSE(model.contains("b"));
    std::vector<double> vector(1);
    ASSERT_TRUE(model.read("a", vector));
    double sum = 10;
    for (const char* ngram : {"a", "<a", "a>"}) sum += model.row_of_ngram(ngram) == 2 ? 1 : 2;
    EXPECT_DOUBLE_EQ(vector[0], sum / 4);
  }
}

TEST_F(FastTextFile, CutsNgramsByCharacterAndDropsLoneMarks) {
  write({.minn = 1, .maxn = 2});
  FastText model(path_);
  EXPECT_THAT(model.ngrams("é"), ElementsAre("é", "<é", "é>"));
  EXPECT_THAT(model.ngrams("</s>"), testing::IsEmpty());
}

TEST_F(FastTextFile, GivesZerosWhenThereIsNothingToAdd) {
  write({.bucket = 0, .minn = 0, .maxn = 0, .num_rows = 2});
  FastText model(path_);
  std::vector<double> vector(1, 5.0);
  EXPECT_FALSE(model.read("zebra", vector));
  EXPECT_THAT(vector, ElementsAre(0));
}

TEST_F(FastTextFile, RefusesHostileHeaders) {
  write({.dim = -3});
  EXPECT_THAT(failure(), HasSubstr("dim is -3"));
  write({.nwords = 2'000'000'000});
  EXPECT_THAT(failure(), HasSubstr("words cannot fit"));
  write({.nlabels = 3});
  EXPECT_THAT(failure(), HasSubstr("supervised"));
  write({.num_rows = int64_t{1} << 61});
  EXPECT_THAT(failure(), HasSubstr("expected 2 words + 2 buckets"));
  write({.quantised = 1});
  EXPECT_THAT(failure(), HasSubstr("quantised"));
  write({.bucket = 0});
  EXPECT_THAT(failure(), HasSubstr("no buckets"));
  write({.maxn = 1'000'000});
  EXPECT_THAT(failure(), HasSubstr("maxn is 1000000"));
  write({.bucket = 2'000'000'000, .num_rows = 2'000'000'002});
  EXPECT_THAT(failure(), HasSubstr("the file ends before the matrix"));
}

TEST_F(FastTextFile, RefusesEveryTruncation) {
  write({});
  std::string whole = bytes_;
  for (size_t size = 0; size < whole.size(); ++size) {
    write_text_file(path_, std::string_view(whole).substr(0, size));
    EXPECT_THROW(FastText{path_}, Error) << size;
  }
}

}  // namespace
}  // namespace snellen::text
