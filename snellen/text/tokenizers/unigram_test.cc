// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/unigram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/sentencepiece_model.h"

namespace snellen::text {
namespace {

using testing::ElementsAre;
using Type = SentencePieceFile::Type;

TEST(Unigram, TakesTheHighestSum) {
  SentencePieceFile file;
  file.pieces = {{"<unk>", 0, Type::kUnknown}, {"a", -1, {}}, {"b", -3, {}}, {"ab", -2, {}}};
  for (auto& piece : file.pieces)
    if (piece.text != "<unk>") piece.type = Type::kNormal;
  EXPECT_THAT(UnigramModel(file).encode("abaab"), ElementsAre("ab", "a", "ab"));
}

TEST(Unigram, LetsTheLongerLastPieceWinATie) {
  SentencePieceFile file;
  file.pieces = {{"i", -2, Type::kNormal}, {"ii", -3, Type::kNormal}};
  EXPECT_THAT(UnigramModel(file).encode("iii"), ElementsAre("i", "ii"));
}

TEST(Unigram, JoinsUnknownNeighbours) {
  SentencePieceFile file;
  file.pieces = {{"a", -1, Type::kNormal}};
  EXPECT_THAT(UnigramModel(file).encode("a\u4E2D\u65E5"
                                        "a"),
              ElementsAre("a", "\u4E2D\u65E5", "a"));
  EXPECT_THAT(UnigramModel(file).encode(""), ElementsAre());
}

TEST(SentencePieceFile, ReadsPiecesAndRefusesTornFiles) {
  // pieces { piece: "a" score: -1 type: NORMAL }, trainer_spec { model_type: BPE }
  std::string bytes(
      "\x0A\x0A\x0A\x01"
      "a\x15\x00\x00\x80\xBF\x18\x01"
      "\x12\x02\x18\x02",
      16);
  SentencePieceFile file = read_sentencepiece_file(bytes, "x.model");
  ASSERT_EQ(file.pieces.size(), 1u);
  EXPECT_EQ(file.pieces[0].text, "a");
  EXPECT_EQ(file.pieces[0].score, -1.0F);
  EXPECT_FALSE(file.is_unigram);
  EXPECT_THROW((void)read_sentencepiece_file(bytes.substr(0, 7), "x.model"), Error);
  EXPECT_THROW((void)read_sentencepiece_file("\xFF\xFF\xFF", "x.model"), Error);
}

TEST(SentencePieceModel, RefusesWhatIsNoModel) {
  EXPECT_THROW(SentencePieceModel("no model", "x.model"), Error);
  EXPECT_THROW(SentencePieceModel("", "x.model"), Error);
}

}  // namespace
}  // namespace snellen::text
