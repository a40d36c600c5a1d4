// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/meteor.h"

#include <thread>

#include <gtest/gtest.h>

#include "snellen/text/meteor/paraphrase_builder.h"

namespace snellen::metrics::meteor {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// dog and hound share a synset; car's and automobile's meet through the plural.
Meteor make_meteor(const Pairs& pairs = {}) {
  text::meteor::LexiconTexts texts;
  texts.synsets = "dog\n1 2\nhound\n2\ncar\n7\nautomobile\n7\n";
  auto data = std::make_shared<text::meteor::MeteorData>();
  data->lexicon = text::meteor::lexicon_of(texts);
  if (!pairs.empty()) data->paraphrases = text::meteor::index_of_pairs(pairs);
  return Meteor(std::move(data));
}

Segment score(const Meteor& meteor,
              std::string_view hypothesis,
              std::vector<std::string> references) {
  Scratch scratch(meteor);
  return meteor.score(hypothesis, std::span<const std::string>(references), scratch);
}

std::string statistics(const Meteor& meteor, std::string_view hypothesis, std::string reference) {
  std::string text;
  append_statistics(text, score(meteor, hypothesis, {std::move(reference)}).statistics);
  return text;
}

TEST(Meteor, ScoresIdenticalLinesOne) {
  EXPECT_EQ(score(make_meteor(), "A dog runs.", {"a dog runs ."}).score.score, 1);
  EXPECT_EQ(score(make_meteor(), "yes", {"yes"}).score.score, 1);
}

TEST(Meteor, ScoresBlankLinesZero) {
  EXPECT_EQ(score(make_meteor(), "", {""}).score.score, 0);
  EXPECT_EQ(score(make_meteor(), "yes", {" "}).score.score, 0);
}

TEST(Meteor, MatchesStemsAndSynonyms) {
  EXPECT_EQ(score(make_meteor(), "walking", {"walked"}).statistics.modules[1].hypothesis_content,
            1);
  EXPECT_EQ(score(make_meteor(), "hound", {"dog"}).statistics.modules[2].hypothesis_content, 1);
  EXPECT_EQ(score(make_meteor(), "cars", {"automobile"}).statistics.modules[2].reference_content,
            1);
}

// dog and dogs match by stem and by synonym, so neither match is fixed, and neither weighs enough
// to start a chunk.
TEST(Meteor, DropsAWordThatMatchesTwiceButWeighsNothing) {
  EXPECT_EQ(statistics(make_meteor(), "yes it is dogs", "yes, it is a dog"),
            "4.0 6.0 2.0 4.0 1.0 1.0 2.0 2.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 2.0 "
            "3.0 3.0");
}

TEST(Meteor, ComparesHashesNotStrings) {
  EXPECT_EQ(score(make_meteor(), "5n", {"70"}).score.score, 1);
}

TEST(Meteor, MatchesParaphrasesInBothDirections) {
  Meteor meteor = make_meteor({{"two", "a couple of"}});
  EXPECT_EQ(score(meteor, "a couple of", {"two"}).statistics.modules[3].hypothesis_function, 2);
  EXPECT_EQ(score(meteor, "two", {"a couple of"}).statistics.modules[3].reference_function, 2);
}

TEST(Meteor, TakesTheFirstOfEquallyGoodReferences) {
  Segment segment = score(make_meteor(), "a dog", {"cat", "a dog", "a dog"});
  EXPECT_EQ(segment.best_reference, 1u);
  EXPECT_EQ(score(make_meteor(), "x", {"cat", "dogs and cats"}).statistics.reference_words, 1);
}

TEST(Meteor, NeverLosesByAnotherReference) {
  Meteor meteor = make_meteor({{"two", "a couple of"}});
  double before = 0;
  std::vector<std::string> references;
  for (const char* reference : {"no", "the two", "a couple", "a couple of dogs"}) {
    references.emplace_back(reference);
    double after = score(meteor, "two dogs", references).score.score;
    EXPECT_GE(after, before);
    before = after;
  }
}

TEST(Meteor, RefusesLinesThatAreDocuments) {
  std::string text;
  for (int i = 0; i < 30001; ++i) text += "a ";
  EXPECT_THROW(score(make_meteor(), text, {"a"}), Error);
  std::string half = text.substr(0, 2 * 5000);
  EXPECT_THROW(score(make_meteor(), half, {half + "b"}), Error);
}

TEST(Meteor, GivesManyThreadsTheSameScores) {
  Meteor meteor = make_meteor({{"two", "a couple of"}, {"a couple of", "two"}});
  std::vector<double> scores(8);
  {
    std::vector<std::jthread> threads;
    for (double& one : scores) {
      threads.emplace_back([&] {
        Scratch scratch(meteor);
        std::vector<std::string> references = {"there are two hounds", "a couple of dogs"};
        for (int i = 0; i < 200; ++i) {
          one = meteor.score("two dogs here", std::span<const std::string>(references), scratch)
                    .score.score;
        }
      });
    }
  }
  for (double one : scores) EXPECT_EQ(one, scores.front());
  EXPECT_GT(scores.front(), 0);
}

TEST(MeteorTexts, PrepareGenerationsAndReferences) {
  EXPECT_EQ(meteor_hypothesis(" a ||| b\t\nc\u00a0"), "a b c");
  EXPECT_EQ(meteor_hypothesis("a|||b"), "ab");
  EXPECT_EQ(meteor_reference("a|||b "), "a b");
  EXPECT_EQ(meteor_references_compat("a ||| b"), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace snellen::metrics::meteor
