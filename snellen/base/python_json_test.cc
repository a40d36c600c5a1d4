// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/python_json.h"

#include <limits>

#include <gtest/gtest.h>

namespace snellen {
namespace {

TEST(PythonFloat, IsWrittenAsReprDoes) {
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(1.0), "1.0");
  EXPECT_EQ(python_float(1e-05), "1e-05");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(123456789012345.6), "123456789012345.6");
  EXPECT_EQ(python_float(1e15), "1000000000000000.0");
  EXPECT_EQ(python_float(-0.0), "-0.0");
  EXPECT_EQ(python_float(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(python_float(5e-324), "5e-324");
  EXPECT_EQ(python_float(1.5e300), "1.5e+300");
}

TEST(PythonFloat, WritesNonFiniteAsAsked) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(python_float(infinity), "null");
  EXPECT_EQ(python_float(-infinity, NonFinite::kToken), "-Infinity");
  EXPECT_EQ(python_float(std::numeric_limits<double>::quiet_NaN(), NonFinite::kToken), "NaN");
}

TEST(PythonString, EscapesAsJsonDumpsDoes) {
  EXPECT_EQ(python_string("a\"\\\n\x01\x7f/"), "\"a\\\"\\\\\\n\\u0001\\u007f/\"");
  EXPECT_EQ(python_string("é😀"), "\"\\u00e9\\ud83d\\ude00\"");
  EXPECT_EQ(python_string("\xff"), "\"\\ufffd\"");
}

TEST(JsonString, KeepsUtf8AndMendsIllFormedBytes) {
  EXPECT_EQ(json_string("é\xC3"), "\"é\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace snellen
