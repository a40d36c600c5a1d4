// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

using handmade::safetensors;
using testing::HasSubstr;

// The message of a file that must be turned down.
std::string refusal(const std::string& file) {
  try {
    (void)read_safetensors(file, "w.safetensors");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_EQ(error.where(), "w.safetensors");
    return error.message();
  }
  return "was read";
}

std::string refusal(const std::string& header, size_t num_data_bytes) {
  return refusal(safetensors(header, std::string(num_data_bytes, '\0')));
}

TEST(Safetensors, GivesTensorsInTheOrderOfTheHeader) {
  std::string file = safetensors(
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
      R"("a":{"dtype":"I8","shape":[],"data_offsets":[8,9]},)"
      R"("none":{"dtype":"F16","shape":[0,4],"data_offsets":[9,9]}})",
      handmade::floats({1.5f, -2}) + "\x07");
  std::vector<NamedTensor> tensors = read_safetensors(file, "w.safetensors");
  ASSERT_EQ(tensors.size(), 3u);
  EXPECT_EQ(tensors[0].name, "b");
  EXPECT_EQ(tensors[0].tensor.shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(tensors[0].tensor.strides, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(tensors[0].tensor.bytes, handmade::floats({1.5f, -2}));
  EXPECT_EQ(tensors[1].tensor.type, ElementType::kI8);
  EXPECT_EQ(tensors[1].tensor.bytes, "\x07");
  EXPECT_EQ(tensors[2].tensor.num_elements(), 0);
}

TEST(Safetensors, RefusesHeadersThatAreCutShortOrHuge) {
  EXPECT_THAT(refusal(""), HasSubstr("holds 0 bytes"));
  EXPECT_THAT(refusal("1234567"), HasSubstr("holds 7 bytes"));
  EXPECT_THAT(refusal(handmade::little_endian(uint64_t{1} << 60, 8) + "{}"),
              HasSubstr("claims 1152921504606846976 bytes, the file holds 2"));
}

TEST(Safetensors, RefusesWhatIsNotAnObjectOfTensors) {
  EXPECT_THAT(refusal("{nope", 0), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("[1]", 0), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(R"({"a":3})", 0), HasSubstr("needs 'dtype'"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1]}})", 0), HasSubstr("needs 'dtype'"));
  std::string nested(5000, '[');
  EXPECT_THAT(refusal(nested, 0), HasSubstr("not a JSON object"));
}

TEST(Safetensors, RefusesUnknownElementTypesByName) {
  EXPECT_THAT(refusal(R"({"a":{"dtype":"Q7","shape":[1],"data_offsets":[0,4]}})", 4),
              HasSubstr(R"(tensor "a": element type "Q7")"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", 1),
              HasSubstr("8-bit floats (F8_E4M3)"));
}

TEST(Safetensors, RefusesRangesThatDoNotFit) {
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})", 9),
              HasSubstr("bytes 0 to 16, the file holds 9"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})", 16),
              HasSubstr("bytes 8 to 4"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}})", 16),
              HasSubstr("not a whole number of 0 or more"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4]}})", 16),
              HasSubstr("has 1 offsets"));
}

TEST(Safetensors, RefusesShapesThatDisagreeWithTheirBytes) {
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[3,3],"data_offsets":[0,16]}})", 16),
              HasSubstr("shape [3, 3] of F32 takes 36 bytes, its range holds 16"));
  EXPECT_THAT(
      refusal(R"({"a":{"dtype":"F32","shape":[4611686018427387904,8],"data_offsets":[0,0]}})", 16),
      HasSubstr("does not fit a tensor"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[-2,-2],"data_offsets":[0,16]}})", 16),
              HasSubstr("does not fit a tensor"));
}

TEST(Safetensors, RefusesOverlapsAndNamesTwice) {
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                      R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                      12),
              HasSubstr(R"(tensor "b": overlaps the bytes of 'a')"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                      R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                      8),
              HasSubstr("twice"));
}

}  // namespace
}  // namespace snellen::models
