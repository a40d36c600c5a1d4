// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/vocabulary_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(VocabularyFiles, NumbersTheLinesOfVocabTxt) {
  Vocabulary vocabulary = read_vocab_txt("[UNK]\r\nthe\n\ndog", "vocab.txt");
  EXPECT_EQ(vocabulary.find("[UNK]"), 0);
  EXPECT_EQ(vocabulary.find("dog"), 3);
  EXPECT_EQ(vocabulary.piece(1), "the");
  EXPECT_EQ(vocabulary.piece(7), "");
  EXPECT_EQ(vocabulary.find("cat"), Vocabulary::kAbsent);
}

TEST(VocabularyFiles, LetsTheLastOfEqualLinesWin) {
  EXPECT_EQ(read_vocab_txt("a\nb\na\n", "vocab.txt").find("a"), 2);
}

TEST(VocabularyFiles, ReadsMergesBehindTheirVersion) {
  BpeMerges merges = read_merges_txt("#version: 0.2\nt h\n# #\n\nth e</w>\n", "merges.txt");
  ASSERT_EQ(merges.size(), 3u);
  EXPECT_EQ(merges[1], (std::pair<std::string, std::string>("#", "#")));
}

TEST(VocabularyFiles, NamesTheLineOfABrokenMerge) {
  EXPECT_THAT([] { (void)read_merges_txt("#version\na b\nabc\n", "dir/merges.txt"); },
              ThrowsMessage<Error>(HasSubstr("dir/merges.txt: line 3")));
  EXPECT_THROW((void)read_merges_txt("a b c", "m"), Error);
  EXPECT_THROW((void)read_merges_txt(" b", "m"), Error);
}

TEST(VocabularyFiles, RefusesTwoTokensWithOneId) {
  EXPECT_THAT([] { (void)read_vocab_json(R"({"a": 3, "b": 3})", "dir/vocab.json"); },
              ThrowsMessage<Error>(HasSubstr("dir/vocab.json: id 3 belongs to two tokens")));
  EXPECT_THROW((void)read_vocab_json(R"({"a": 99999999999999999999})", "v"), Error);
}

TEST(VocabularyFiles, RefusesWhatIsNoGzip) {
  EXPECT_THAT([] { (void)read_simple_vocabulary("plain text", "dir/x.gz"); },
              ThrowsMessage<Error>(HasSubstr("dir/x.gz: cannot be unpacked")));
}

}  // namespace
}  // namespace snellen::text
