// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/safetensors_writer.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/float_elements.h"
#include "snellen/models/checkpoint/safetensors.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

class SafetensorsWriterTest : public testing::Test {
 protected:
  handmade::Folder folder_{"safetensors_writer"};
  std::filesystem::path file_ = folder_.path() / "model.safetensors";
};

TEST_F(SafetensorsWriterTest, WritesWhatTheReaderReads) {
  SafetensorsWriter writer(file_,
                           {{"b.half", ElementType::kF16, {3}},
                            {"a", ElementType::kF32, {2, 1}},
                            {"scalar", ElementType::kF32, {}},
                            {"none", ElementType::kF32, {0, 4}}});
  std::map<std::string, std::vector<float>> values = {
      {"b.half", {1, -2, 0.5F}}, {"a", {1.5F, -0.0F}}, {"scalar", {4.6F}}, {"none", {}}};
  std::vector<std::string> order;
  for (const PlannedTensor& tensor : writer.tensors()) {
    order.push_back(tensor.name);
    writer.write(bytes_of(values.at(tensor.name), tensor.type));
  }
  EXPECT_FALSE(std::filesystem::exists(file_));
  writer.commit();
  EXPECT_EQ(order, (std::vector<std::string>{"a", "none", "scalar", "b.half"}));
  std::string bytes = read_text_file(file_);
  for (const NamedTensor& named : read_safetensors(bytes, file_.string()))
    EXPECT_EQ(floats_of(named.tensor), values.at(named.name)) << named.name;
  EXPECT_NE(bytes.find(R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,1],)"
                       R"("data_offsets":[0,8]})"),
            std::string::npos);
  EXPECT_EQ(static_cast<uint8_t>(bytes[0]) % 8, 0);  // the length of the header
}

TEST_F(SafetensorsWriterTest, LeavesTheOldFileUntilTheNewOneIsWhole) {
  write_text_file(file_, "old");
  {
    SafetensorsWriter writer(file_, {{"a", ElementType::kF32, {2}}});
    writer.write(handmade::floats({1, 2}));
  }
  EXPECT_EQ(read_text_file(file_), "old");
}

TEST_F(SafetensorsWriterTest, RefusesAPlanThatIsNoFile) {
  EXPECT_THROW(
      SafetensorsWriter(file_, {{"a", ElementType::kF32, {1}}, {"a", ElementType::kF16, {1}}}),
      Error);
  EXPECT_THROW(SafetensorsWriter(file_, {{"", ElementType::kF32, {1}}}), Error);
  EXPECT_THROW(SafetensorsWriter(file_, {{"a", ElementType::kF32, {-1}}}), Error);
}

TEST_F(SafetensorsWriterTest, WantsTheBytesThatWerePlanned) {
  SafetensorsWriter writer(file_, {{"a", ElementType::kF32, {2}}});
  EXPECT_THROW(writer.write("1234"), Error);
  EXPECT_THROW(writer.commit(), Error);
}

}  // namespace
}  // namespace snellen::models
