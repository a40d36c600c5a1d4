// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/json_elements.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::formats {
namespace {

std::filesystem::path file_with(std::string_view text) {
  auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string("elements_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  write_text_file(path, text);
  return path;
}

std::string error_of(std::string_view text) {
  try {
    JsonElements elements(file_with(text));
    return "none";
  } catch (const Error& error) {
    return error.message();
  }
}

TEST(JsonElements, SplitsAnArrayWhateverItsElementsHold) {
  JsonElements elements(file_with(" [ {\"a\": \"]}\\\"\"} ,[1,[2]], 3.5,\"x\" ,null]\n"));
  ASSERT_EQ(elements.size(), 5U);
  EXPECT_EQ(elements.element(0), "{\"a\": \"]}\\\"\"}");
  EXPECT_EQ(elements.element(1), "[1,[2]]");
  EXPECT_EQ(elements.element(2), "3.5");
  EXPECT_EQ(elements.element(3), "\"x\"");
  EXPECT_EQ(elements.element(4), "null");
}

TEST(JsonElements, GivesTheKeysOfAnObjectInFileOrderUnescaped) {
  JsonElements elements(file_with("{\"b\":1,\"a\\u0041\":{}}"));
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_EQ(elements.key(0), "b");
  EXPECT_EQ(elements.key(1), "aA");
  EXPECT_EQ(JsonElements(file_with("{}")).size(), 0U);
}

TEST(JsonElements, RefusesAFileThatEndsTooEarlyAtAnyByte) {
  std::string whole = "[{\"a\": [1, \"x\"]}, {\"b\": 2}]";
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error_of(whole.substr(0, length)), "none") << length;
}

TEST(JsonElements, SplitsTheListUnderAKeyAndChecksTheRest) {
  std::filesystem::path path = file_with(
      "{\"info\": {\"annotations\": [9]}, \"annotations\": [{\"id\": 1}, 2 ], \"z\": []}");
  JsonElements elements(path, "annotations");
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_FALSE(elements.is_object());
  EXPECT_EQ(elements.element(0), "{\"id\": 1}");
  EXPECT_EQ(elements.element(1), "2");
  EXPECT_EQ(JsonElements(path, "z").size(), 0U);
  EXPECT_THROW(JsonElements(path, "images"), Error);
  EXPECT_THROW(JsonElements(path, "info"), Error);
  EXPECT_THROW(JsonElements(file_with("{\"a\": [1], \"b\": [2"), "a"), Error);
}

TEST(JsonElements, RefusesNestingBombsAtOnce) {
  EXPECT_NE(error_of(std::string(10000000, '[')).find("nested"), std::string::npos);
}

TEST(JsonElements, RefusesBrokenStructure) {
  for (const char* text :
       {"", "3", "[1 2]", "[1,]", "[,1]", "{\"a\" 1}", "{a:1}", "[1]]", "[1]x", "{\"a\":}"}) {
    EXPECT_NE(error_of(text), "none") << text;
  }
}

}  // namespace
}  // namespace snellen::formats
