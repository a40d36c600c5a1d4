// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vectors/dialog_vectors.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

using Words = std::vector<std::string>;

TEST(DialogTokens, DropApostrophesAndSpellNumbers) {
  EXPECT_EQ(dialog_tokens("It's 2 dogs."), (Words{"its", "two", "dogs", "."}));
}

TEST(DialogVocabulary, KeepsTheOrderOfWordsThatAreNotRare) {
  DialogVocabulary vocabulary;
  vocabulary.count({"rare", "dog", "cat"}, 1);
  vocabulary.count({"cat", "dog"}, 4);
  vocabulary.drop_rare(5);
  EXPECT_EQ(vocabulary.words(), (Words{"<PAD>", "<EOS>", "<UNK>", "dog", "cat"}));
  EXPECT_EQ(vocabulary.id("rare"), DialogVocabulary::kUnknown);
  EXPECT_EQ(DialogVocabulary(vocabulary.words()).id("cat"), 4U);
  EXPECT_THROW(DialogVocabulary(Words{"dog"}), Error);
}

TEST(DialogEncoder, CountsTheEndMarkAndCutsLongTexts) {
  VectorTable words(1);
  words.add("<EOS>", std::vector<double>{10});
  words.add("<UNK>", std::vector<double>{100});
  words.add("dog", std::vector<double>{1});
  DialogVocabulary vocabulary;
  vocabulary.count({"dog"}, 5);
  const DialogEncoder encoder(vocabulary, words);
  double value = 0;
  EXPECT_EQ(encoder.encode("", {&value, 1}), 0U);
  EXPECT_EQ(value, 10);
  EXPECT_EQ(encoder.encode("dog cat", {&value, 1}), 1U);
  EXPECT_DOUBLE_EQ(value, 111.0 / 3);
  std::string longest;
  for (int i = 0; i < 40; ++i) longest += "dog ";
  encoder.encode(longest, {&value, 1});
  EXPECT_DOUBLE_EQ(value, 25.0 / 16);
}

}  // namespace
}  // namespace snellen::text
