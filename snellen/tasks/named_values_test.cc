// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/named_values.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::tasks {
namespace {

using testing::ElementsAre;

TEST(NamedValues, ReadWhatTheyWrote) {
  NamedValues values;
  values.put("flag", true);
  values.put("count", int64_t{3});
  values.put("name", std::string("gr\u00fcn"));
  values.put("scores", std::vector<double>{1, std::nan(""), 0.25});
  values.put("frames", std::vector<int64_t>{0, 7});
  values.put("tags", std::vector<std::string>{"a", "b"});
  values.put("none", std::vector<std::string>{});
  const std::string json = values.to_json();
  EXPECT_EQ(json,
            R"({"flag": true, "count": 3, "name": "grün", "scores": [1.0, NaN, 0.25], )"
            R"("frames": [0, 7], "tags": ["a", "b"], "none": []})");
  const NamedValues again = NamedValuesReader().read(json, "here");
  EXPECT_TRUE(again.get<bool>("flag"));
  EXPECT_EQ(again.get<int64_t>("count"), 3);
  EXPECT_EQ(again.get<double>("count"), 3.0);
  EXPECT_EQ(again.get<std::string>("name"), "gr\u00fcn");
  EXPECT_TRUE(std::isnan(again.get<std::vector<double>>("scores")[1]));
  EXPECT_THAT(again.get<std::vector<double>>("frames"), ElementsAre(0, 7));
  EXPECT_THAT(again.get<std::vector<std::string>>("tags"), ElementsAre("a", "b"));
  EXPECT_TRUE(again.get<std::vector<std::string>>("none").empty());
  EXPECT_EQ(again.to_json(), json);
}

TEST(NamedValues, GiveTheDefaultForANameThatIsNotThereAndRefuseAnotherType) {
  NamedValues values;
  values.put("name", std::string("x"));
  EXPECT_EQ(values.get<int64_t>("count", 2), 2);
  EXPECT_THROW((void)values.get<int64_t>("name"), Error);
}

TEST(NamedValues, WriteNamesWithSlashesAsObjects) {
  NamedValues values;
  values.put("ratio/noise/gt", 0.5);
  values.put("ratio/noise/kept", int64_t{2});
  values.put("ratio/gray/gt", 1.0);
  values.put("more", false);
  EXPECT_EQ(values.to_json(),
            R"({"ratio": {"noise": {"gt": 0.5, "kept": 2}, "gray": {"gt": 1.0}}, "more": false})");
  NamedValuesReader reader;
  const NamedValues read = reader.read(values.to_json(), "here");
  EXPECT_EQ(read.get<int64_t>("ratio/noise/kept"), 2);
  EXPECT_EQ(read.get<double>("ratio/gray/gt"), 1.0);
  EXPECT_EQ(read.to_json(), values.to_json());
}

TEST(NamedValues, FollowTheStyleOfTheirTask) {
  NamedValues values({.is_compact = true, .is_ascii = true, .non_finite = NonFinite::kNull});
  values.put("a", std::string("\u00fc"));
  values.put("b", std::nan(""));
  EXPECT_EQ(values.to_json(), R"({"a":"\u00fc","b":null})");
  EXPECT_EQ(NamedValues().to_json(), "");
}

TEST(NamedValuesReader, RefusesWhatIsNoObjectOfValues) {
  NamedValuesReader reader;
  EXPECT_TRUE(reader.read("", "here").empty());
  for (const char* json : {"[]", "{", R"({"a": {}})", R"({"a": [[1]]})", R"({"a": [1, "b"]})"})
    EXPECT_THROW((void)reader.read(json, "here"), Error) << json;
}

}  // namespace
}  // namespace snellen::tasks
