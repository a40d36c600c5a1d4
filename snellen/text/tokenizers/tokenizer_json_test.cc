// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/tokenizer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// What reading `json` complains about; "read" when it does not.
std::string complaint(std::string_view json) {
  try {
    (void)read_tokenizer_json(json, "some/tokenizer.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_THAT(error.what(), HasSubstr("some/tokenizer.json"));
    return error.what();
  }
  return "read";
}

std::vector<TokenId> ids_of(std::string_view json, std::string_view text) {
  return Pipeline(read_tokenizer_json(json, "tokenizer.json"), {}).encode(text).ids;
}

constexpr std::string_view kWords = R"({"type": "WordPiece", "unk_token": "[UNK]",
    "vocab": {"[UNK]": 0, "a": 1, "b": 2, "##b": 3, "[SEP]": 4}})";

std::string with_words(std::string_view more) {
  return "{" + std::string(more) + R"("model": )" + std::string(kWords) + "}";
}

TEST(TokenizerJson, ReadsTheLeastThereIs) {
  EXPECT_THAT(ids_of(with_words(R"("pre_tokenizer": {"type": "WhitespaceSplit"},)"), "a ab abab"),
              ElementsAre(1, 1, 3, 0));
}

TEST(TokenizerJson, PutsTheTemplateAround) {
  std::string json = with_words(R"("post_processor": {"type": "Sequence", "processors": [
      {"type": "ByteLevel"},
      {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[SEP]"}},
        {"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "[SEP]"}}],
       "special_tokens": {"[SEP]": {"id": "[SEP]", "ids": [4], "tokens": ["[SEP]"]}}}]},)");
  EXPECT_THAT(ids_of(json, "a"), ElementsAre(4, 1, 4));
}

TEST(TokenizerJson, IgnoresTruncationAndPadding) {
  EXPECT_THAT(ids_of(with_words(R"("truncation": {"max_length": 1}, "padding": {"strategy": "x"},
                                   "pre_tokenizer": {"type": "BertPreTokenizer"},)"),
                     "a b a"),
              ElementsAre(1, 2, 1));
}

TEST(TokenizerJson, FallsBackToBytes) {
  std::string_view json =
      R"({"normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "_"},
      "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious"},
      "model": {"type": "BPE", "byte_fallback": true, "fuse_unk": true, "unk_token": "<unk>",
        "vocab": {"<unk>": 0, "a": 1, "_": 2, "_a": 3, "<0xC3>": 4, "<0xA9>": 5}, "merges": ["_ a"]}})";
  EXPECT_THAT(ids_of(json, "a a\u00E9\u4E2D\u4E2D"), ElementsAre(1, 3, 4, 5, 0));
}

TEST(TokenizerJson, RefusesPartsByName) {
  EXPECT_THAT(complaint(with_words(R"("normalizer": {"type": "Precompiled"},)")),
              HasSubstr("'Precompiled'"));
  EXPECT_THAT(complaint(with_words(R"("pre_tokenizer": {"type": "UnicodeScripts"},)")),
              HasSubstr("'UnicodeScripts'"));
  EXPECT_THAT(complaint(with_words(R"("post_processor": {"type": "Novel"},)")),
              HasSubstr("'Novel'"));
  EXPECT_THAT(complaint(R"({"model": {"type": "Unigram", "vocab": []}})"),
              AllOf(HasSubstr("'Unigram'"), HasSubstr("spiece.model")));
  EXPECT_THAT(complaint(with_words(R"("pre_tokenizer": {"type": "Split", "behavior": "Removed",
                                       "pattern": {"Regex": "x+"}},)")),
              HasSubstr("'x+'"));
  EXPECT_THAT(complaint(with_words(R"("pre_tokenizer": {"type": "Sequence", "pretokenizers":
                                       [{"type": "ByteLevel"}, {"type": "BertPreTokenizer"}]},)")),
              HasSubstr("after ByteLevel"));
}

TEST(TokenizerJson, RefusesVocabulariesThatContradictThemselves) {
  auto with_vocab = [](std::string_view vocab) {
    return R"({"model": {"type": "WordPiece", "unk_token": "u", "vocab": )" + std::string(vocab) +
           "}}";
  };
  EXPECT_THAT(complaint(with_vocab(R"({"u": 0, "a": 0})")),
              HasSubstr("id 0 belongs to two tokens, 'u' and 'a'"));
  EXPECT_THAT(complaint(with_vocab(R"({"u": 0, "u": 1})")), HasSubstr("two ids, 0 and 1"));
  EXPECT_THAT(complaint(with_vocab(R"({"u": -1})")), HasSubstr("id -1"));
  EXPECT_THAT(complaint(with_vocab(R"({"u": 4000000000})")), HasSubstr("id 4000000000"));
  EXPECT_THAT(complaint(with_vocab(R"({"u": 1.5})")), HasSubstr("not a whole number"));
  EXPECT_THAT(complaint(with_vocab(R"({"a": 0})")), HasSubstr("unknown token 'u' is not in"));
  EXPECT_THAT(complaint(with_vocab("[]")), HasSubstr("expected an object"));
}

TEST(TokenizerJson, RefusesMergesThatDoNotResolve) {
  auto with_merges = [](std::string_view merges) {
    return R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": )" +
           std::string(merges) + "}}";
  };
  EXPECT_THAT(complaint(with_merges(R"(["a b"])")), HasSubstr("needs 'ab'"));
  EXPECT_THAT(complaint(with_merges(R"([["a", "c"]])")), HasSubstr("merge 1 ('a' 'c') needs 'c'"));
  EXPECT_THAT(complaint(with_merges(R"(["a b c"])")), HasSubstr("merge 1 is not two tokens"));
  EXPECT_THAT(complaint(with_merges(R"([["a"]])")), HasSubstr("merge 1 is not two tokens"));
  EXPECT_THAT(
      complaint(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.1}})"),
      HasSubstr("dropout"));
}

TEST(TokenizerJson, RefusesAddedTokensThatContradictTheVocabulary) {
  auto with_added = [](std::string_view token) {
    return with_words(R"("added_tokens": [)" + std::string(token) + "],");
  };
  EXPECT_THAT(complaint(with_added(R"({"id": 2, "content": "a"})")), HasSubstr("has id 2, but 1"));
  EXPECT_THAT(complaint(with_added(R"({"id": 2, "content": "new"})")), HasSubstr("belongs to 'b'"));
  EXPECT_THAT(complaint(with_added(R"({"id": -7, "content": "new"})")), HasSubstr("id -7"));
  EXPECT_THAT(complaint(with_added(R"({"content": "new"})")), HasSubstr("'id' is missing"));
  EXPECT_THAT(complaint(with_added(R"({"id": 9, "content": ")" + std::string(2000, 'x') + R"("})")),
              HasSubstr("2000 bytes"));
}

TEST(TokenizerJson, BoundsNesting) {
  std::string deep = R"({"type": "ByteLevel"})";
  for (int i = 0; i < 12; ++i) deep = R"({"type": "Sequence", "processors": [)" + deep + "]}";
  EXPECT_THAT(complaint(with_words(R"("post_processor": )" + deep + ",")),
              HasSubstr("nested more than 8"));
  EXPECT_THAT(complaint(std::string(100000, '[')), HasSubstr("not valid JSON"));
  EXPECT_THAT(complaint(""), HasSubstr("not valid JSON"));
  EXPECT_THAT(complaint("[1]"), HasSubstr("expected an object"));
}

TEST(TokenizerJson, RefusesTemplatesWithoutTheText) {
  EXPECT_THAT(complaint(with_words(R"("post_processor": {"type": "TemplateProcessing", "single": [],
                                       "special_tokens": {}},)")),
              HasSubstr("leaves the text out"));
  EXPECT_THAT(
      complaint(with_words(R"("post_processor": {"type": "RobertaProcessing", "cls": ["x", 0],
                                       "sep": ["y"]},)")),
      HasSubstr("expected a token and its id"));
}

}  // namespace
}  // namespace snellen::text
