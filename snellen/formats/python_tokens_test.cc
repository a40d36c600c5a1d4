// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/python_tokens.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::formats {
namespace {

TEST(PythonTokens, BecomeNullOutsideOfStringsOnly) {
  EXPECT_EQ(replace_python_tokens(R"({"NaN": [NaN, -Infinity, "\"Infinity", Infinity]})",
                                  TokensAs::kNull),
            R"({"NaN": [null, null, "\"Infinity", null]})");
}

TEST(PythonTokens, LeaveATextWithoutAnyAlone) {
  EXPECT_EQ(replace_python_tokens("[1, 2]", TokensAs::kNull), std::nullopt);
  EXPECT_EQ(replace_python_tokens(R"({"a": "NaN"})", TokensAs::kNull), std::nullopt);
  EXPECT_EQ(replace_python_tokens(R"("NaN)", TokensAs::kNull), std::nullopt);
  EXPECT_EQ(replace_python_tokens("\"NaN\\", TokensAs::kNull), std::nullopt);
}

TEST(PythonTokens, HaveStandInsThatGiveTheNumberBack) {
  const std::string json = "[NaN,-Infinity,Infinity]";
  const std::optional<std::string> replaced = replace_python_tokens(json, TokensAs::kStandIn);
  ASSERT_TRUE(replaced);
  EXPECT_EQ(replaced->size(), json.size());
  EXPECT_TRUE(std::isnan(python_token(replaced->substr(2, 1))->value));
  EXPECT_EQ(python_token(replaced->substr(6, 7))->value, -HUGE_VAL);
  EXPECT_EQ(python_token("text"), nullptr);
}

}  // namespace
}  // namespace snellen::formats
