// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "snellen/base/error.h"

namespace snellen::models {
namespace {

using testing::HasSubstr;

// The message of a read that must fail on this configuration.
std::string refusal(const std::string& text, const std::function<void(const ConfigView&)>& read) {
  try {
    nlohmann::json json = parse_config(text, "config.json");
    read(ConfigView(json, "config.json"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_THAT(error.where(), HasSubstr("config.json"));
    return error.what();
  }
  return "was read";
}

TEST(Config, AbsentAndNullTakeTheDefault) {
  nlohmann::json json = parse_config(R"({"n_inner": null, "eps": 1e-6, "width": 20})", "c");
  ConfigView config(json, "c");
  EXPECT_FALSE(config.has("n_inner"));
  EXPECT_EQ(config.positive("n_inner", 80), 80);
  EXPECT_EQ(config.positive("width", 768), 20);
  EXPECT_EQ(config.heads("heads", 4, 20), 4);
  EXPECT_EQ(config.layers("layers", 12), 12);
  EXPECT_EQ(config.number("eps", 1e-5), 1e-6);
  EXPECT_EQ(config.number("width", 1.0), 20.0);
  EXPECT_TRUE(config.boolean("bias", true));
  EXPECT_EQ(config.text("act", "gelu"), "gelu");
  EXPECT_EQ(config.integers("strides", std::vector<int64_t>{1, 2}), (std::vector<int64_t>{1, 2}));
}

TEST(Config, NamesFileKeyAndRangeOfWhatIsWrong) {
  EXPECT_THAT(refusal(R"({"w": 0})", [](auto& c) { c.positive("w", 1); }),
              HasSubstr("config.json: 'w' is 0, expected a whole number from 1 to 1048576"));
  EXPECT_THAT(refusal(R"({"w": 1099511627776})", [](auto& c) { c.positive("w", 1); }),
              HasSubstr("is 1099511627776, expected"));
  EXPECT_THAT(refusal(R"({"w": 18446744073709551615})", [](auto& c) { c.positive("w", 1); }),
              HasSubstr("expected a whole number"));
  EXPECT_THAT(refusal(R"({"w": 2.5})", [](auto& c) { c.positive("w", 1); }),
              HasSubstr("is 2.5, expected a whole number"));
  EXPECT_THAT(refusal(R"({"w": "x"})", [](auto& c) { c.number("w", 1); }),
              HasSubstr(R"(is "x", expected a number)"));
  EXPECT_THAT(refusal(R"({"l": 2000})", [](auto& c) { c.layers("l", 12); }),
              HasSubstr("from 1 to 1024"));
  EXPECT_THAT(refusal(R"({"h": 3})", [](auto& c) { c.heads("h", 12, 20); }),
              HasSubstr("is 3, which does not divide the width 20"));
  EXPECT_THAT(refusal(R"({"b": 1})", [](auto& c) { c.boolean("b", true); }),
              HasSubstr("is 1, expected true or false"));
  EXPECT_THAT(refusal(R"({"t": [1]})", [](auto& c) { c.text("t", "a"); }),
              HasSubstr("is a list, expected a text"));
  EXPECT_THAT(refusal(R"({"e": 0})", [](auto& c) { c.positive_number("e", 1e-5); }),
              HasSubstr("expected a number above 0"));
  EXPECT_THAT(refusal(R"({"e": 1e999})", [](auto& c) { c.number("e", 1e-5); }),
              HasSubstr("config"));
}

TEST(Config, WithoutADefaultAKeyMustBeThere) {
  EXPECT_THAT(refusal("{}", [](auto& c) { c.positive("embed_dim"); }),
              HasSubstr("'embed_dim' is missing"));
  EXPECT_THAT(refusal("{}", [](auto& c) { c.text("t"); }), HasSubstr("is missing"));
  EXPECT_THAT(refusal("{}", [](auto& c) { c.integers("t"); }), HasSubstr("is missing"));
}

TEST(Config, ReadsListsOfOneType) {
  nlohmann::json json = parse_config(R"({"l": [1, 2], "m": [0.5, 1], "t": ["a"]})", "c");
  ConfigView config(json, "c");
  EXPECT_TRUE(config.is_list("l"));
  EXPECT_EQ(config.integers("l"), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(config.numbers("m"), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(config.texts("t"), (std::vector<std::string>{"a"}));
  EXPECT_THAT(refusal(R"({"l": [1, "b"]})", [](auto& c) { c.integers("l"); }),
              HasSubstr(R"(holds "b" as its entry 1)"));
}

TEST(Config, SubConfigsNameThemselvesAndMayBeAbsent) {
  nlohmann::json json = parse_config(R"({"text_config": {"hidden_size": "x"}})", "config.json");
  ConfigView config(json, "config.json");
  EXPECT_EQ(config.sub("vision_config").positive("hidden_size", 768), 768);
  try {
    (void)config.sub("text_config").positive("hidden_size", 512);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "config.json: text_config");
  }
  EXPECT_THAT(refusal(R"({"s": 3})", [](auto& c) { c.sub("s"); }), HasSubstr("expected an object"));
}

// The reference completes the twin with its class defaults and lays all of it over text_config.
TEST(Config, ALegacyTwinReplacesTheSubConfig) {
  nlohmann::json json = parse_config(
      R"({"text_config": {"hidden_size": 20, "layers": 3}, "text_config_dict": {"hidden_size": 24},)"
      R"("vision_config": {"hidden_size": 30}, "vision_config_dict": null})",
      "c");
  ConfigView config(json, "c");
  EXPECT_EQ(config.sub_with_twin("text_config").positive("hidden_size", 512), 24);
  EXPECT_EQ(config.sub_with_twin("text_config").layers("layers", 12), 12);
  EXPECT_EQ(config.sub_with_twin("vision_config").positive("hidden_size", 768), 30);
  EXPECT_EQ(config.sub("text_config").positive("hidden_size", 512), 20);
}

TEST(Config, RefusesWhatIsNoConfiguration) {
  auto nothing = [](const ConfigView&) {};
  EXPECT_THAT(refusal("", nothing), HasSubstr("is not JSON"));
  EXPECT_THAT(refusal("[1]", nothing), HasSubstr("is not a JSON object"));
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += R"({"a":)";
  EXPECT_NE(refusal(deep, nothing), "was read");
  std::string closed = deep.substr(0, 5 * 100) + "1" + std::string(100, '}');
  EXPECT_THAT(refusal(closed, nothing), HasSubstr("nests deeper than 64"));
}

}  // namespace
}  // namespace snellen::models
