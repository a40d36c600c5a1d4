// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::formats {
namespace {

std::string refusal(std::string_view text) {
  try {
    (void)parse_json_object(text, "a.json", "write it again");
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

TEST(ParseJson, TakesWhatNestsAsDeepAsTheLimitAndNothingDeeper) {
  const std::string deepest = std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']');
  EXPECT_FALSE(parse_json(deepest).is_discarded());
  EXPECT_TRUE(parse_json("[" + deepest + "]").is_discarded());
  EXPECT_TRUE(parse_ordered_json("[" + deepest + "]").is_discarded());
}

TEST(ParseJson, SurvivesAQuarterOfAMillionBracketsThatAreClosedAgain) {
  const size_t count = 250000;
  EXPECT_TRUE(parse_json("{\"a\": " + std::string(count, '[') + std::string(count, ']') + "}")
                  .is_discarded());
}

TEST(ParseJson, CountsNoBracketsInsideStrings) {
  const std::string text = "{\"a\\\"[\": \"" + std::string(1000, '[') + "\\\\\"}";
  EXPECT_TRUE(parse_json(text).is_object());
}

TEST(ParseJson, DiscardsWhatIsNoJson) {
  for (const char* text : {"", "{", "\"", "\"\\", "{\"a\": nan}", "]]]"})
    EXPECT_TRUE(parse_json(text).is_discarded()) << text;
}

TEST(ParseJsonObject, NamesTheFileAndWhatIsWrongWithIt) {
  EXPECT_EQ(refusal("{\"a\": 1}"), "taken");
  EXPECT_EQ(refusal("[1]"), "a.json: is not a JSON object (write it again)");
  EXPECT_EQ(refusal(std::string(100, '[')), "a.json: nests deeper than 64 levels (write it again)");
  EXPECT_THAT(refusal("{\"a\": }"), testing::HasSubstr("a.json: is not JSON: "));
}

}  // namespace
}  // namespace snellen::formats
