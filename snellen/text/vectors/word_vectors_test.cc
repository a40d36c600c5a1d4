// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vectors/word_vectors.h"

#include <gmock/gmock.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

using testing::ElementsAre;

VectorTable small_table() {
  VectorTable table(2);
  table.add("two", std::vector<double>{1, 2});
  table.add("dogs", std::vector<double>{3, 6});
  table.add("dogs", std::vector<double>{9, 9});
  return table;
}

TEST(EmbeddingWords, ReplacesNumbersAndKeepsPunctuationGlued) {
  EXPECT_THAT(embedding_words("Yes, 21  Dogs"), ElementsAre("yes,", "twenty", "one", "dogs"));
}

TEST(VectorTable, KeepsTheFirstVectorOfAName) {
  EXPECT_THAT(small_table().find("dogs"), ElementsAre(3, 6));
  EXPECT_TRUE(small_table().find("cats").empty());
}

TEST(MeanOfWords, CountsAbsentWordsAsZeros) {
  VectorTable table = small_table();
  std::vector<double> vector(2);
  EXPECT_EQ(MeanOfWords(table).encode("2 Dogs", vector), 0u);
  EXPECT_THAT(vector, ElementsAre(2, 4));
  EXPECT_EQ(MeanOfWords(table).encode("2 dogs or cats", vector), 2u);
  EXPECT_THAT(vector, ElementsAre(1, 2));
}

TEST(CachingWordVectors, GivesWhatItsSourceGives) {
  VectorTable table = small_table();
  StringPool pool;
  pool.add("2 cats");
  CachingWordVectors words(table, pool);
  std::vector<double> vector(2, 7.0);
  EXPECT_TRUE(words.read("two", vector));
  EXPECT_THAT(vector, ElementsAre(1, 2));
  EXPECT_FALSE(words.read("cats", vector));
  EXPECT_THAT(vector, ElementsAre(0, 0));
  EXPECT_TRUE(words.read("dogs", vector));
  EXPECT_THAT(vector, ElementsAre(3, 6));
}

TEST(CachedSentences, NamesATextThatIsMissing) {
  VectorTable table = small_table();
  std::vector<double> vector(2);
  try {
    CachedSentences(table, "cache.json").encode("a cat", vector);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("cache.json: no vector for the text \"a cat\""));
  }
}

}  // namespace
}  // namespace snellen::text
