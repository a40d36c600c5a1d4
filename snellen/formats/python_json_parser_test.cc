// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/python_json_parser.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace snellen::formats {
namespace {

std::string rewritten(std::string_view json, int indent, int depth = 0) {
  PythonJsonParser parser;
  std::string out;
  append_python_json(out, parser, parser.parse(json, "test").value(), indent, depth);
  return out;
}

TEST(PythonJsonParser, ReadsTheThreeTokens) {
  PythonJsonParser parser;
  simdjson::dom::array list = parser.parse("[NaN, Infinity, -Infinity, 2, -3.5]", "test").value();
  std::vector<double> numbers;
  for (simdjson::dom::element one : list) numbers.push_back(parser.number(one).value());
  ASSERT_EQ(numbers.size(), 5u);
  EXPECT_TRUE(std::isnan(numbers[0]));
  EXPECT_EQ(numbers[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(numbers[2], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(numbers[3], 2.0);
  EXPECT_EQ(numbers[4], -3.5);
}

TEST(PythonJsonParser, LeavesTheWordsInTextsAlone) {
  EXPECT_EQ(rewritten(R"({"NaN": "a \" Infinity", "x": NaN})", 0),
            R"({"NaN": "a \" Infinity", "x": NaN})");
}

TEST(PythonJsonParser, TakesNoTextForANumber) {
  PythonJsonParser parser;
  EXPECT_FALSE(parser.number(parser.parse(R"("1.5")", "test").value()).has_value());
  EXPECT_FALSE(parser.number(parser.parse("\"\x7f\"", "test").value()).has_value());
  EXPECT_FALSE(parser.number(parser.parse("true", "test").value()).has_value());
  EXPECT_FALSE(parser.number(parser.parse("null", "test").value()).has_value());
}

TEST(PythonJsonParser, RefusesWhatIsNoJson) {
  PythonJsonParser parser;
  for (const char* text :
       {"", "[1,", "[Nan]", "[+1]", "[inf]", "[--Infinity]", "NaNNaN", "\"NaN"}) {
    const auto parsed = parser.parse(text, "f: record 'x'");
    ASSERT_FALSE(parsed.is_ok()) << text;
    EXPECT_EQ(parsed.error().where(), "f: record 'x'");
  }
}

TEST(AppendPythonJson, WritesAsPythonDoes) {
  EXPECT_EQ(
      rewritten(R"({"a":[1,2.50,1E5,-0.0,true,null],"b":{},"c":[],"d":"é\n"})", 0),
      "{\"a\": [1, 2.5, 100000.0, -0.0, true, null], \"b\": {}, \"c\": [], \"d\": \"\\u00e9\\n\"}");
  EXPECT_EQ(rewritten(R"({"scores":[1,NaN],"e":[]})", 4, 1),
            "{\n        \"scores\": [\n            1,\n            NaN\n        ],\n        \"e\": "
            "[]\n    }");
  EXPECT_EQ(rewritten("18446744073709551615", 0), "18446744073709551615");
}

TEST(AppendPythonJson, KeepsTheLastOfTwoEqualKeysAtTheFirstPlace) {
  EXPECT_EQ(rewritten(R"({"a":1,"b":2,"a":3})", 0), R"({"a": 3, "b": 2})");
}

}  // namespace
}  // namespace snellen::formats
