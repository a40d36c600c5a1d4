// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/items/items_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace snellen::annotations {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class ItemsFileTest : public testing::Test {
 protected:
  ItemsFile file(const std::string& text) {
    std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "my items.jsonl";
    write_text_file(path, text);
    return ItemsFile(path);
  }
};

std::string why(const std::string& line) {
  Result<ItemLine> item = parse_item_line(line, "f:7", 7);
  return item ? "nothing" : item.error().what();
}

TEST_F(ItemsFileTest, ReadsAWholeItem) {
  Result<ItemLine> item = parse_item_line(
      R"({"id": "a/1", "part": "swap", "group": "img 1", "category": "object", "tags": ["b", "a", "b"],
          "metric": "choice", "visuals": ["x/1.jpg", {"clip": "v.mp4", "start": 1.5, "end": 3}],
          "texts": ["one", "two"], "cells": [[1, 0], [0, 1]], "right": [[0, 1]], "extra": {"k": 1}})",
      "f:1",
      1);
  ASSERT_TRUE(item) << item.error().what();
  EXPECT_EQ(item->id, "a/1");
  EXPECT_THAT(item->tags, ElementsAre("a", "b"));
  EXPECT_TRUE(item->visuals[1].is_clip);
  EXPECT_EQ(item->visuals[1].start, 1.5);
  EXPECT_THAT(item->cells, ElementsAre(ItemCell{1, 0}, ItemCell{0, 1}));
  EXPECT_THAT(item->right, ElementsAre(ItemCell{0, 1}));
}

TEST_F(ItemsFileTest, FillsInWhatIsUsual) {
  // One picture: numbers are texts; all pairs are asked; the id is the line.
  Result<ItemLine> choice =
      parse_item_line(R"({"visuals": ["a"], "texts": ["x", "y", "z"], "right": [0, 2]})", "f", 3);
  EXPECT_EQ(choice->id, "3");
  EXPECT_EQ(choice->cells.size(), 3U);
  EXPECT_THAT(choice->right, ElementsAre(ItemCell{0, 0}, ItemCell{0, 2}));
  // As many pictures as texts match in order; a number as id.
  Result<ItemLine> pairs =
      parse_item_line(R"({"id": 12, "visuals": ["a", "b"], "texts": ["x", "y"]})", "f", 1);
  EXPECT_EQ(pairs->id, "12");
  EXPECT_THAT(pairs->right, ElementsAre(ItemCell{0, 0}, ItemCell{1, 1}));
  // Texts alone.
  EXPECT_EQ(parse_item_line(R"({"texts": ["x", "y"], "right": 1})", "f", 1)->right[0].text, 1U);
  // One text: numbers are pictures.
  EXPECT_EQ(parse_item_line(R"({"visuals": ["a", "b", "c"], "texts": ["x"], "right": 2})", "f", 1)
                ->right[0]
                .visual,
            2U);
}

TEST_F(ItemsFileTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(why("{"), HasSubstr("f:7: not valid JSON"));
  EXPECT_THAT(why(R"({"texts": ["a" "b"]})"), HasSubstr("near character 18 of the record"));
  EXPECT_THAT(why(R"({"visuals": ["a"], "right": 0})"), HasSubstr("'texts' is missing"));
  EXPECT_THAT(why(R"({"visuals": ["a"], "texts": ["x", "y"]})"), HasSubstr("'right' is missing"));
  EXPECT_THAT(why(R"({"visuals": ["a"], "texts": ["x"], "rigth": 0})"),
              HasSubstr("unknown key 'rigth' (did you mean 'right'?"));
  EXPECT_THAT(why(R"({"visuals": ["a"], "texts": ["x", "y"], "right": 2})"),
              HasSubstr("is 2, but there are only 2"));
  EXPECT_THAT(why(R"({"visuals": ["a"], "texts": ["x", "y"], "cells": [0], "right": 1})"),
              HasSubstr("does not ask for"));
  EXPECT_THAT(why(R"({"visuals": ["a"], "texts": ["x", "y"], "cells": [0, 0], "right": 0})"),
              HasSubstr("names a pair twice"));
  EXPECT_THAT(why(R"({"visuals": ["a", "b"], "texts": ["x", "y"], "right": 1})"),
              HasSubstr("write pairs [visual, text]"));
  EXPECT_THAT(why(R"({"visuals": [{"image": "a", "start": 1}], "texts": ["x"], "right": 0})"),
              HasSubstr("a picture has no 'start'"));
  EXPECT_THAT(why(R"({"visuals": [{"clip": "a", "start": 2, "end": 1}], "texts": ["x"]})"),
              HasSubstr("ends at 1, before it starts at 2"));
  EXPECT_THAT(why(R"({"visuals": [{"image": "a", "crop": [0, 0, 0, 5]}], "texts": ["x"]})"),
              HasSubstr("write [left, top, width, height]"));
  EXPECT_THAT(why(R"({"texts": [1], "right": 0})"), HasSubstr("a text is not a text"));
}

TEST_F(ItemsFileTest, RefusesPathsThatLeaveTheirFolder) {
  for (const char* path : {"../a.jpg", "/etc/passwd", "x/../../a", "", "a\\tb"}) {
    EXPECT_THAT(why(fmt::format(R"({{"visuals": ["{}"], "texts": ["x"]}})", path)),
                HasSubstr("not a path inside its folder"))
        << path;
  }
}

TEST_F(ItemsFileTest, IsBounded) {
  std::string many = "[\"x\"";
  for (size_t i = 0; i < ItemLimits::kTexts; ++i) many += ",\"x\"";
  EXPECT_THAT(why(fmt::format(R"({{"texts": {}], "right": 0}})", many)), HasSubstr("65537 texts"));
  EXPECT_THAT(why(std::string(ItemLimits::kLineBytes, ' ')), HasSubstr("the record has more than"));
  EXPECT_THAT(why(fmt::format(R"({{"id": "{}", "texts": ["x"]}})", std::string(600, 'a'))),
              HasSubstr("'id' has 600 bytes"));
}

TEST_F(ItemsFileTest, CountsLinesWithHeaderAndBlanks) {
  ItemsFile items = file(
      "\n{\"name\": \"mine\", \"metric\": \"choice\", \"paper\": \"arXiv 1\"}\n"
      "{\"texts\": [\"x\"], \"right\": 0}\r\n\n  \n"
      "{\"texts\": 3}\n");
  EXPECT_EQ(items.size(), 2U);
  EXPECT_EQ(items.header().name, "mine");
  EXPECT_EQ(items.header().metric, "choice");
  EXPECT_EQ(items.item(0)->id, "3");
  EXPECT_THAT(items.where(1), EndsWith("my items.jsonl:6"));
  EXPECT_THAT(items.item(1).error().what(), HasSubstr("my items.jsonl:6: 'texts' is not a list"));
}

TEST_F(ItemsFileTest, TakesItsNameFromTheFileWithoutAHeader) {
  EXPECT_EQ(file(R"({"texts": ["x"], "right": 0})").header().name, "my_items");
  EXPECT_THROW(file(R"({"name": "a/b"})"), Error);
  EXPECT_THROW(file(R"({"schema": 2})"), Error);
  EXPECT_THROW(file("\n\n"), Error);
}

TEST_F(ItemsFileTest, ReadsScoresFlatOrRowByRow) {
  EXPECT_THAT(*parse_item_scores(R"({"id": "a", "scores": [1, 2.5]})")->scores,
              ElementsAre(1, 2.5));
  EXPECT_THAT(*parse_item_scores(R"({"id": 7, "scores": [[1, 2], [3, 4]]})")->scores,
              ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(parse_item_scores(R"({"id": "a", "log_likelihoods": [1]})")->are_log_likelihoods);
  EXPECT_FALSE(parse_item_scores(R"({"scores": [1]})"));
  EXPECT_FALSE(parse_item_scores(R"({"id": "a", "scores": ["x"]})")->scores);
  EXPECT_FALSE(parse_item_scores(R"({"id": "a"})")->scores);
}

TEST(ItemLine, RefusesMoreVisualsTimesTextsThanATaskKeepsPlacesFor) {
  std::string line = R"({"visuals": ["a.jpg")";
  for (int i = 1; i < 4096; ++i) line += R"(,"a.jpg")";
  line += R"(], "texts": ["t")";
  for (int i = 1; i < 65536; ++i) line += R"(,"t")";
  line += R"(], "cells": [[0,0]], "right": [[0,0]]})";
  const Result<ItemLine> item = parse_item_line(line, "f:1", 1);
  ASSERT_FALSE(item);
  EXPECT_NE(item.error().message().find("4096 visuals with 65536 texts"), std::string::npos)
      << item.error().what();
}

TEST(ItemLine, SharesOnePictureOrTwo) {
  auto parsed = [](const std::string& group) {
    return parse_item_line(
        R"({"group": )" + group + R"(, "visuals": ["a.jpg"], "texts": ["t"], "right": 0})",
        "f:1",
        1);
  };
  EXPECT_EQ(parsed(R"("7")")->group, "7");
  EXPECT_EQ(parsed(R"("7")")->group_2, "");
  EXPECT_EQ(parsed(R"(["7", "9"])")->group, "7");
  EXPECT_EQ(parsed(R"(["7", "9"])")->group_2, "9");
  for (const char* bad : {R"(["7"])", R"(["7", "8", "9"])", R"(["7", ""])", R"(["7", 8])", "[]"})
    EXPECT_FALSE(parsed(bad)) << bad;
}

TEST(ItemsFile, NumbersLinesAcrossRunsOfBlankOnes) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "blank_runs.jsonl";
  write_text_file(path,
                  "\n\n{\"texts\": [\"a\"], \"visuals\": [\"a.jpg\"], \"right\": 0}\n" +
                      std::string(100000, '\n') +
                      "{\"texts\": [\"b\"], \"visuals\": [\"b.jpg\"], \"right\": 0}\n\n");
  const ItemsFile file(path);
  ASSERT_EQ(file.size(), 2U);
  EXPECT_EQ(file.where(0), path.string() + ":3");
  EXPECT_EQ(file.where(1), path.string() + ":100004");
}

}  // namespace
}  // namespace snellen::annotations
