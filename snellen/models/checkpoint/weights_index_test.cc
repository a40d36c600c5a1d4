// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/weights_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::models {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    (void)read_weights_index(text, "i.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    return error.message();
  }
  return "was read";
}

TEST(WeightsIndex, MapsWeightsToShards) {
  auto index = read_weights_index(
      R"({"metadata":{"total_size":8},"weight_map":{"a":"m-1.safetensors","b":"m-2.safetensors"}})",
      "i.json");
  EXPECT_EQ(index.at("a"), "m-1.safetensors");
  EXPECT_EQ(index.at("b"), "m-2.safetensors");
}

TEST(WeightsIndex, RefusesShardsOutsideTheFolder) {
  for (const char* shard : {"../m", "/etc/passwd", "x/m", "..", "x\\\\m", "", ".", "a\\u0000b"}) {
    EXPECT_THAT(refusal(std::string(R"({"weight_map":{"a":")") + shard + "\"}}"),
                HasSubstr("not the plain name"))
        << shard;
  }
}

TEST(WeightsIndex, RefusesWhatIsNoIndex) {
  EXPECT_THAT(refusal("{"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("{}"), HasSubstr("no 'weight_map'"));
  EXPECT_THAT(refusal(R"({"weight_map":{}})"), HasSubstr("no 'weight_map'"));
  EXPECT_THAT(refusal(R"({"weight_map":{"a":3}})"), HasSubstr("names no file"));
  std::string many = R"({"weight_map":{)";
  for (int i = 0; i < 5000; ++i) many += fmt::format("{}\"{}\":\"f{}\"", i == 0 ? "" : ",", i, i);
  EXPECT_THAT(refusal(many + "}}"), HasSubstr("more than 4096 files"));
}

}  // namespace
}  // namespace snellen::models
