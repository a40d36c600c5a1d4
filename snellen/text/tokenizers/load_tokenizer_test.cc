// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/load_tokenizer.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/tokenizer_fixture.h"
#include "snellen/text/tokenizers/pipeline.h"

namespace snellen::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<const Tokenizer> load(const TokenizerFolder& folder) {
  return load_tokenizer({.folder = folder.path(), .family = {}, .clip_vocabulary = {}});
}

constexpr TokenId kStart = 516;
constexpr TokenId kEnd = 517;
constexpr TokenId kThe = 514;
constexpr TokenId kDog = 515;

TEST(LoadTokenizer, ReadsClipFromVocabAndMerges) {
  TokenizerFolder folder("clip_files");
  write_small_clip(folder);
  auto tokenizer = load(folder);
  EXPECT_THAT(tokenizer->encode("The  DOG").ids, ElementsAre(kStart, kThe, kDog, kEnd));
  EXPECT_THAT(tokenizer->encode("").ids, ElementsAre(kStart, kEnd));
  EXPECT_EQ(tokenizer->piece(kDog), "dog</w>");
  EXPECT_EQ(tokenizer->facts().kind, "clip");
  EXPECT_EQ(tokenizer->facts().model_max_length, 77u);
  EXPECT_EQ(tokenizer->facts().pad_id, kEnd);
  EXPECT_EQ(tokenizer->end_id(), 518u);
}

TEST(LoadTokenizer, TakesLiteralSpecialTokensWhole) {
  TokenizerFolder folder("clip_special");
  write_small_clip(folder);
  EXPECT_THAT(load(folder)->encode("the <|endoftext|>dog").ids,
              ElementsAre(kStart, kThe, kEnd, kDog, kEnd));
}

TEST(LoadTokenizer, CountsWhatItCutsAndKeepsTheClosingToken) {
  TokenizerFolder folder("clip_cut");
  write_small_clip(folder);
  auto tokenizer = load(folder);
  Encoding cut = tokenizer->encode("the dog the dog", {.max_length = 4});
  EXPECT_THAT(cut.ids, ElementsAre(kStart, kThe, kDog, kEnd));
  EXPECT_EQ(cut.num_dropped, 2u);
  EXPECT_THROW((void)tokenizer->encode("the", {.max_length = 1}), Error);
  Encoding bare = tokenizer->encode("the dog", {.max_length = 1, .adds_special_tokens = false});
  EXPECT_THAT(bare.ids, ElementsAre(kThe));
}

TEST(LoadTokenizer, FastLaneAndLongWayAgree) {
  TokenizerFolder folder("clip_lane");
  write_small_clip(folder);
  auto tokenizer = load(folder);
  ASSERT_TRUE(dynamic_cast<const Pipeline&>(*tokenizer).has_fast_lane());
  // U+2003 sends the same words the long way.
  for (std::string text : {"The dog's 42 days, it'S we'LL I'D !'s ''t don't",
                           "supercalifragilisticexpialidocious ABCDEFGHIJKLMNOP abcdefgh",
                           "a-b_c...(d)[e] \t\n\x01 x\x7f"}) {
    EXPECT_EQ(tokenizer->encode(text).ids, tokenizer->encode("\u2003" + text).ids) << text;
  }
}

TEST(LoadTokenizer, ReadsIllFormedTextAsReplacementCharacters) {
  TokenizerFolder folder("clip_bytes");
  write_small_clip(folder);
  auto tokenizer = load(folder);
  EXPECT_EQ(tokenizer->encode("the \xE2\x82 dog").ids, tokenizer->encode("the \uFFFD dog").ids);
}

TEST(LoadTokenizer, GivesTheSameIdsFromManyThreads) {
  TokenizerFolder folder("clip_threads");
  write_small_clip(folder);
  auto tokenizer = load(folder);
  std::string text = "The dog saw the \u00C9t\u00E9, 12 DOGS & <|endoftext|> the end";
  std::vector<TokenId> want = tokenizer->encode(text).ids;
  std::vector<int> same(4);
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < same.size(); ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) same[t] += tokenizer->encode(text).ids == want ? 1 : 0;
      });
    }
  }
  EXPECT_THAT(same, ElementsAre(200, 200, 200, 200));
}

TEST(LoadTokenizer, ReadsBertFromVocabTxt) {
  TokenizerFolder folder("bert_files");
  write_small_bert(folder);
  auto tokenizer = load(folder);
  EXPECT_THAT(tokenizer->encode("The dogs, running").ids, ElementsAre(2, 4, 5, 6, 9, 7, 8, 3));
  EXPECT_THAT(tokenizer->encode("A caf\u00C9 xyz [SEP] a\u4E2Da").ids,
              ElementsAre(2, 10, 11, 1, 3, 10, 12, 10, 3));
  EXPECT_THAT(tokenizer->encode(std::string(101, 'a')).ids, ElementsAre(2, 1, 3));
  EXPECT_EQ(tokenizer->facts().kind, "bert");
}

TEST(LoadTokenizer, OptPutsItsStartTokenFirst) {
  TokenizerFolder folder("opt_files");
  write_small_clip(folder);
  folder.write("tokenizer_config.json",
               R"({"tokenizer_class": "GPT2Tokenizer", "add_bos_token": true,
                   "bos_token": "<|startoftext|>", "unk_token": "<|endoftext|>"})");
  auto tokenizer = load(folder);
  EXPECT_EQ(tokenizer->facts().kind, "opt");
  EXPECT_THAT(tokenizer->encode("").ids, ElementsAre(kStart));
}

TEST(LoadTokenizer, ReadsLimitsThatDoNotFit64Bits) {
  TokenizerFolder folder("bert_limit");
  write_small_bert(folder);
  folder.write("tokenizer_config.json",
               R"({"tokenizer_class": "BertTokenizer", "x": "9999999999999999999\"",
                   "model_max_length": 1000000000000000019884624838656, "y": 0.12345678901234567890123})");
  EXPECT_EQ(load(folder)->facts().model_max_length, 0u);
}

TEST(LoadTokenizer, SaysWhatIsMissing) {
  TokenizerFolder folder("empty");
  auto complaint = [&](std::string_view family) {
    try {
      (void)load_tokenizer(
          {.folder = folder.path(), .family = tokenizer_family_of(family), .clip_vocabulary = {}});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("loaded");
  };
  EXPECT_THAT(complaint(""), HasSubstr("no tokenizer files that name their family"));
  EXPECT_THAT(complaint("bert"), HasSubstr("vocab.txt"));
  EXPECT_THAT(complaint("clip"), HasSubstr("vocab.json"));
  EXPECT_THAT(complaint("siglip"), HasSubstr("spiece.model"));
  EXPECT_THAT(complaint("open_clip"), HasSubstr("./dev setup"));
  EXPECT_THROW(
      (void)load_tokenizer({.folder = folder.path() / "gone", .family = {}, .clip_vocabulary = {}}),
      Error);
}

}  // namespace
}  // namespace snellen::text
