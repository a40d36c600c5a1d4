// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/json_object.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace snellen {
namespace {

TEST(JsonObject, WritesWhatPythonWrites) {
  const std::vector<double> box = {1, 2.5};
  const std::optional<uint64_t> none;
  EXPECT_EQ(python_object({{"id", 7},
                           {"name", "caf\u00e9 \"x\""},
                           {"is_good", true},
                           {"box", box},
                           {"empty", std::vector<int>()},
                           {"share", 1.0},
                           {"undefined", std::nan("")},
                           {"none", none}})
                .text,
            R"({"id": 7, "name": "caf\u00e9 \"x\"", "is_good": true, "box": [1.0, 2.5], )"
            R"("empty": [], "share": 1.0, "undefined": null, "none": null})");
}

TEST(JsonObject, NestsWhatIsAlreadyWritten) {
  JsonObject item = {{"texts", std::vector<std::string>{"a", "\u00e9"}}};
  item.add({{"inner", json_object({{"n", 1}})}});
  EXPECT_EQ(item.as_utf8().text, "{\"texts\": [\"a\", \"\u00e9\"], \"inner\": {\"n\": 1}}");
  EXPECT_EQ(JsonObject().as_ascii().text, "{}");
}

TEST(JsonObject, GivesItsStyleToAllThatIsInIt) {
  const std::vector<std::array<double, 2>> rows = {{1, 2}, {3, std::nan("")}};
  const JsonValue value = JsonObject{{"inner", JsonObject{{"word", "\u00e9"}}},
                                     {"rows", rows},
                                     {"most", std::numeric_limits<uint64_t>::max()}};
  EXPECT_EQ(value.written({.is_compact = true}),
            "{\"inner\":{\"word\":\"\u00e9\"},\"rows\":[[1.0,2.0],[3.0,NaN]],"
            "\"most\":18446744073709551615}");
  EXPECT_EQ(value.written(kAsciiJson),
            R"({"inner": {"word": "\u00e9"}, "rows": [[1.0, 2.0], [3.0, null]], )"
            R"("most": 18446744073709551615})");
}

TEST(JsonObject, LetsACallerWriteSomeOfItsValues) {
  std::string out;
  const JsonValue value = JsonObject{{"n", 7}, {"list", std::vector<double>{0.5}}};
  value.append_to(out, kUtf8Json, [](const JsonValue::Held& held, std::string& json) {
    if (std::holds_alternative<double>(held)) json += "?";
    return std::holds_alternative<double>(held);
  });
  EXPECT_EQ(out, R"({"n": 7, "list": [?]})");
}

}  // namespace
}  // namespace snellen
