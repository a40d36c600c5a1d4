// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/vilma_item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kWhole = R"({
  "dataset": "RareAct", "original_split": "test", "dataset_idx": 11, "linguistic_phenomena": "actions",
  "youtube_id": "o3TSaTrmMzY", "video_file": null, "start_time": 50, "end_time": 60.5, "time_unit": "sec",
  "caption": "peeling a pear", "foils": ["peeling a lemon", "peeling a book"], "class": 3, "something_new": [1],
  "proficiency": {"caption": "there is a pear", "foils": ["there is a sock"],
                  "human": {"foil": 0, "caption": 1, "other": 0}},
  "mturk": {"foil": 1, "caption": 2, "other": 0}})";

VilmaItem parsed(std::string_view json) {
  return parse_vilma_item("id", json, "test").value();
}

// An item with these votes; an empty text leaves them out.
VilmaItem with_votes(std::string main, std::string prof) {
  std::string json = R"({"caption": "a", "foils": ["b"])";
  if (!main.empty()) json += R"(, "mturk": {"caption": )" + main + "}";
  json += R"(, "proficiency": {"caption": "c", "foils": ["d"])";
  if (!prof.empty()) json += R"(, "human": {"caption": )" + prof + "}";
  return parsed(json + "}}");
}

TEST(VilmaItem, ReadsAWholeRecord) {
  const VilmaItem item = parsed(kWhole);
  EXPECT_EQ(item.id, "id");
  EXPECT_EQ(item.dataset, "RareAct");
  EXPECT_EQ(item.dataset_idx, "11");
  EXPECT_EQ(item.phenomenon, "actions");
  EXPECT_EQ(item.youtube_id, "o3TSaTrmMzY");
  EXPECT_TRUE(item.video_file.empty());
  EXPECT_EQ(item.start_time, 50.0);
  EXPECT_EQ(item.end_time, 60.5);
  EXPECT_EQ(item.time_unit, VilmaTimeUnit::kSeconds);
  EXPECT_EQ(item.main.caption, "peeling a pear");
  EXPECT_THAT(item.main.foils, ElementsAre("peeling a lemon", "peeling a book"));
  EXPECT_THAT(item.proficiency->foils, ElementsAre("there is a sock"));
  EXPECT_EQ(item.main_votes, 2.0);
  EXPECT_EQ(item.prof_votes, 1.0);
  EXPECT_EQ(item.video(), "RareAct/o3TSaTrmMzY");
}

TEST(VilmaItem, NeedsOnlyACaptionAndFoils) {
  const VilmaItem item = parsed(R"({"caption": "a", "foils": ["b"]})");
  EXPECT_FALSE(item.proficiency.has_value());
  EXPECT_FALSE(item.main_votes.has_value());
  EXPECT_FALSE(item.start_time.has_value());
  EXPECT_EQ(item.video(), "/");
}

TEST(VilmaItem, TakesMinusOneAsTheEnd) {
  const VilmaItem item = parsed(
      R"({"caption": "a", "foils": ["b"], "start_time": 3, "end_time": -1, "time_unit": "pts", "normalized": true})");
  EXPECT_FALSE(item.end_time.has_value());
  EXPECT_EQ(item.time_unit, VilmaTimeUnit::kFrames);
  EXPECT_TRUE(item.is_normalized);
}

TEST(VilmaItem, ReportsWhatIsWrong) {
  for (const char* json : {R"({"foils": ["b"]})",
                           R"({"caption": "a"})",
                           R"({"caption": "a", "foils": []})",
                           R"({"caption": "a", "foils": "b"})",
                           R"({"caption": "a", "foils": [1]})",
                           R"({"caption": null, "foils": ["b"]})",
                           R"(["caption"])",
                           R"({"caption": "a")"}) {
    const auto item = parse_vilma_item("id", json, "f: record 'id'");
    ASSERT_FALSE(item.is_ok()) << json;
    EXPECT_EQ(item.error().where(), "f: record 'id'");
  }
}

TEST(VilmaFilter, KeepsWhatBothVotesAllow) {
  EXPECT_TRUE(is_evaluated(with_votes("2", "1"), VilmaFilter::kBoth).value());
  EXPECT_FALSE(is_evaluated(with_votes("1", "1"), VilmaFilter::kBoth).value());
  EXPECT_FALSE(is_evaluated(with_votes("3", "0"), VilmaFilter::kBoth).value());
  EXPECT_TRUE(is_evaluated(with_votes("3", "0"), VilmaFilter::kMain).value());
  EXPECT_TRUE(is_evaluated(with_votes("0", "1"), VilmaFilter::kProf).value());
  EXPECT_TRUE(is_evaluated(with_votes("0", "0"), VilmaFilter::kNone).value());
}

TEST(VilmaFilter, FailsWithoutTheVotesItNeeds) {
  const auto no_main = is_evaluated(with_votes("", "1"), VilmaFilter::kBoth);
  ASSERT_FALSE(no_main.is_ok());
  EXPECT_THAT(no_main.error().message(), HasSubstr("'mturk.caption'"));
  EXPECT_THAT(no_main.error().hint(), HasSubstr("--filter none"));
  EXPECT_FALSE(is_evaluated(with_votes("2", ""), VilmaFilter::kProf).is_ok());
  EXPECT_TRUE(is_evaluated(with_votes("", ""), VilmaFilter::kNone).value());
}

TEST(VilmaDefect, SeesUnsolvableAndRepeatedTexts) {
  EXPECT_EQ(defect_of(parsed(kWhole)), VilmaDefect::kNone);
  EXPECT_EQ(defect_of(parsed(R"({"caption": "a", "foils": ["b", "a"]})")),
            VilmaDefect::kCaptionIsFoil);
  EXPECT_EQ(defect_of(parsed(R"({"caption": "a", "foils": ["b", "b"]})")),
            VilmaDefect::kDuplicateFoils);
  EXPECT_EQ(
      defect_of(parsed(
          R"({"caption": "a", "foils": ["b", "b"], "proficiency": {"caption": "c", "foils": ["c"]}})")),
      VilmaDefect::kCaptionIsFoil);
}

}  // namespace
}  // namespace snellen::annotations
