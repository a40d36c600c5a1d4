// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/bias/bias_answers.h"

#include <sstream>

#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

template <typename Read>
auto first(const std::string& bytes, Read read) {
  std::istringstream in(bytes);
  TableReader reader(in, "in");
  TableRow row;
  EXPECT_TRUE(reader.next(row));
  return read(row);
}

TEST(BiasAnswers, ReadsAVlBiasBenchRecord) {
  auto record = first(
      R"([{"idx":4,"category":"old","condition":"ambig","context":"c","question":"q","ans0":"Yes","ans1":"No","ans2":"Unknown","image_path":"a.jpg"}])",
      read_close_row);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->id, "4");
  EXPECT_EQ(record->image, "a.jpg");
  EXPECT_EQ(record->options.size(), 3u);
  EXPECT_EQ(record->unknown, 2u);
  EXPECT_EQ(record->label, std::nullopt);
  EXPECT_EQ(record->answer, std::nullopt);
}

TEST(BiasAnswers, ReadsACloseRowFromCsv) {
  auto record = first("id,options,label,answer\nq1,Yes|No,1,\"No, sir\"\n", read_close_row);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->label, 1u);
  EXPECT_EQ(record->unknown, std::nullopt);
  EXPECT_EQ(record->answer, "No, sir");
}

TEST(BiasAnswers, RefusesALabelOutOfRange) {
  EXPECT_FALSE(first(R"({"options":["a","b"],"label":2})", read_close_row));
  EXPECT_FALSE(first(R"({"options":["a","b"],"label":-1})", read_close_row));
  EXPECT_FALSE(first(R"({"label":0})", read_close_row));
}

TEST(BiasAnswers, ReadsAnAnswerLine) {
  auto record = first(
      R"({"id":"q","image":"i","level":"e2","sigma":100,"replicate":1,"order":2,"presented":[2,0,1],"raw":"B","status":"parsed","index":0,"class":"A","rule":"sole_letter","logprobs":null})",
      read_answer_row);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->presented, (std::vector<size_t>{2, 0, 1}));
  EXPECT_EQ(record->answer_class, 'A');
  EXPECT_EQ(record->sigma, 100);
  EXPECT_EQ(record->error, std::nullopt);
}

TEST(BiasAnswers, AnAnswerLineNeedsAnAnswerOrAnError) {
  EXPECT_FALSE(first(R"({"id":"q"})", read_answer_row));
  EXPECT_TRUE(first(R"({"id":"q","raw":null})", read_answer_row));
  EXPECT_TRUE(first(R"({"id":"q","error":"timeout"})", read_answer_row));
  EXPECT_FALSE(first(R"({"id":"q","raw":"A","class":"X"})", read_answer_row));
  EXPECT_FALSE(first(R"({"id":"q","raw":"A","presented":[0,0]})", read_answer_row));
  EXPECT_FALSE(first(R"({"index":0,"raw":"A"})", read_answer_row));
}

TEST(BiasAnswers, ReadsResultsLaddersStoriesAndScores) {
  EXPECT_EQ(
      first(R"([{"id":3,"instruction":"i","in_images":["p"],"answer":null}])", read_result_row)
          ->answer,
      "");
  EXPECT_EQ(first(R"({"id":0,"answers":"ABCC"})", read_ladder_row)->answers, "ABCC");
  EXPECT_FALSE(first(R"({"id":0,"answers":"ABX"})", read_ladder_row));
  EXPECT_EQ(first(R"({"label":"African","answer":null})", read_open_row)->answer, std::nullopt);
  EXPECT_FALSE(first(R"({"answer":"x"})", read_open_row));
  EXPECT_EQ(first("id,score\n7,0.5\n", read_score_row)->score, 0.5);
  EXPECT_EQ(first("id,score\n7,\n", read_score_row)->score, std::nullopt);
}

}  // namespace
}  // namespace snellen::annotations
