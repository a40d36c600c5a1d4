// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/torch_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

using handmade::dictionary;
using handmade::pickled;
using handmade::torch_archive;
using testing::HasSubstr;

const std::string kSix = handmade::floats({0, 1, 2, 3, 4, 5});

std::string refusal(const std::string& file) {
  try {
    (void)read_torch_archive(file, "w.bin");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_EQ(error.where(), "w.bin");
    return error.message() + " " + error.hint();
  }
  return "was read";
}

std::string refusal_of(const handmade::Tensor& tensor) {
  return refusal(torch_archive(dictionary({{"a", pickled(tensor)}}), {{"0", kSix}}));
}

TEST(TorchArchive, CutsTensorsOutOfTheirStorage) {
  std::string file = torch_archive(
      dictionary(
          {{"whole", pickled({.num_stored = 6, .shape = {2, 3}, .strides = {3, 1}})},
           {"epoch", handmade::integer(3)},
           {"turned", pickled({.num_stored = 6, .offset = 1, .shape = {2, 2}, .strides = {1, 3}})},
           {"scalar", pickled({.num_stored = 6, .offset = 5})},
           {"none", pickled({.num_stored = 6, .offset = 9, .shape = {0}, .strides = {1}})},
           {"spread", pickled({.num_stored = 6, .shape = {4}, .strides = {0}})}}),
      {{"0", kSix}});
  std::vector<NamedTensor> tensors = read_torch_archive(file, "w.bin");
  ASSERT_EQ(tensors.size(), 5u);
  EXPECT_EQ(tensors[0].name, "whole");
  EXPECT_EQ(tensors[0].tensor.bytes, kSix);
  EXPECT_TRUE(tensors[0].tensor.is_contiguous());
  EXPECT_EQ(tensors[1].name, "turned");
  EXPECT_EQ(tensors[1].tensor.strides, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(tensors[1].tensor.bytes, handmade::floats({1, 2, 3, 4, 5}));
  EXPECT_EQ(tensors[2].tensor.bytes, handmade::floats({5}));
  EXPECT_EQ(tensors[3].tensor.bytes, "");
  EXPECT_EQ(tensors[4].tensor.num_elements(), 4);
  EXPECT_EQ(tensors[4].tensor.bytes, handmade::floats({0}));
}

TEST(TorchArchive, ReadsEveryElementType) {
  const std::vector<std::pair<std::string, ElementType>> storages = {
      {"DoubleStorage", ElementType::kF64},
      {"FloatStorage", ElementType::kF32},
      {"HalfStorage", ElementType::kF16},
      {"BFloat16Storage", ElementType::kBF16},
      {"LongStorage", ElementType::kI64},
      {"IntStorage", ElementType::kI32},
      {"ShortStorage", ElementType::kI16},
      {"CharStorage", ElementType::kI8},
      {"ByteStorage", ElementType::kU8},
      {"BoolStorage", ElementType::kBool}};
  for (const auto& [storage, type] : storages) {
    std::string tensor =
        pickled({.storage = storage, .num_stored = 1, .shape = {1}, .strides = {1}});
    std::string file = torch_archive(dictionary({{"a", tensor}}), {{"0", "12345678"}});
    std::vector<NamedTensor> tensors = read_torch_archive(file, "w.bin");
    EXPECT_EQ(tensors.at(0).tensor.type, type) << storage;
    EXPECT_EQ(tensors.at(0).tensor.bytes.size(), bytes_per_element(type)) << storage;
  }
}

TEST(TorchArchive, UnwrapsStateDictAndParameters) {
  std::string tensor = pickled({.num_stored = 6, .shape = {6}, .strides = {1}});
  std::string parameter = handmade::global("torch._utils", "_rebuild_parameter") + "(" + tensor +
                          "\x88" + handmade::global("collections", "OrderedDict") + ")RtR";
  std::string file =
      torch_archive(dictionary({{"state_dict", dictionary({{"a", parameter}})}}), {{"0", kSix}});
  std::vector<NamedTensor> tensors = read_torch_archive(file, "w.bin");
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(tensors[0].name, "a");
  EXPECT_EQ(tensors[0].tensor.bytes, kSix);
}

TEST(TorchArchive, RefusesTensorsThatLeaveTheirStorage) {
  EXPECT_THAT(refusal_of({.num_stored = 6, .offset = 1, .shape = {6}, .strides = {1}}),
              HasSubstr("leaves its storage of 6"));
  EXPECT_THAT(refusal_of({.num_stored = 6, .offset = 6}), HasSubstr("leaves its storage"));
  EXPECT_THAT(refusal_of({.num_stored = 6, .shape = {2, 2}, .strides = {5, 1}}),
              HasSubstr("leaves its storage"));
  EXPECT_THAT(refusal_of({.num_stored = 6, .shape = {3}, .strides = {int64_t{1} << 62}}),
              HasSubstr("leaves its storage"));
  EXPECT_THAT(refusal_of({.num_stored = 7, .shape = {6}, .strides = {1}}),
              HasSubstr("claims 7 elements, its entry holds 6"));
  EXPECT_THAT(refusal_of({.num_stored = 6, .shape = {2}, .strides = {-1}}),
              HasSubstr("not a whole number of 0 or more"));
  EXPECT_THAT(refusal_of({.num_stored = 6, .shape = {2, 3}, .strides = {1}}),
              HasSubstr("does not fit a tensor"));
  EXPECT_THAT(refusal_of({.num_stored = 6, .shape = {int64_t{1} << 40}, .strides = {0}}),
              HasSubstr("6 elements stand for 1099511627776"));
  EXPECT_THAT(refusal_of({.key = "1", .num_stored = 6, .shape = {6}, .strides = {1}}),
              HasSubstr("data/1 is not in the archive"));
}

TEST(TorchArchive, RefusesAPickleThatCallsAFunction) {
  std::string call = handmade::global("os", "system") + handmade::text("touch ran") + "\x85R";
  EXPECT_THAT(refusal(torch_archive(dictionary({{"a", call}}), {})),
              HasSubstr(R"(names "os.system", which is refused)"));
}

TEST(TorchArchive, RefusesOtherFormsWithAHint) {
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("GIF89a"), HasSubstr("is not a zip archive"));
  EXPECT_THAT(refusal("\x80\x02}q"), HasSubstr("bare pickle"));
  EXPECT_THAT(refusal("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."),
              HasSubstr("before 2020, which is not read load it in Python"));
}

TEST(TorchArchive, RefusesArchivesWithoutTensors) {
  EXPECT_THAT(refusal(torch_archive("]", {})), HasSubstr("no dictionary"));
  EXPECT_THAT(refusal(torch_archive("}", {})), HasSubstr("no tensors"));
  EXPECT_THAT(refusal(handmade::zip({{"readme", "x"}})), HasSubstr("holds 0 entries"));
  EXPECT_THAT(
      refusal(handmade::zip({{"t/data.pkl", handmade::pickle("}")}, {"t/byteorder", "big"}})),
      HasSubstr("not little-endian"));
}

// One long key in memory may stand in millions of entries: copying it for each took hours.
TEST(TorchArchive, PassesOverKeysThatAreNoTensorNames) {
  const std::string tensor = pickled({.num_stored = 6, .shape = {6}, .strides = {1}});
  std::vector<NamedTensor> tensors = read_torch_archive(
      torch_archive(dictionary({{std::string(2000, 'x'), tensor}, {"a", tensor}}), {{"0", kSix}}),
      "w.bin");
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(tensors[0].name, "a");
}

}  // namespace
}  // namespace snellen::models
