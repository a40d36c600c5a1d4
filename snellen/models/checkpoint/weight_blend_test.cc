// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/weight_blend.h"

#include <bit>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;

class Blend : public testing::Test {
 protected:
  Blend() : folder_(fs::path(testing::TempDir()) / "snellen_blend_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Blend() override { fs::remove_all(folder_); }

  // A model folder with one tensor "w" of two floats, and whatever else is given.
  fs::path folder(
      const std::string& name,
      const std::string& data,
      std::string_view header = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})") {
    const fs::path path = folder_ / name;
    fs::create_directories(path);
    write_text_file(path / "config.json", R"({"model_type": "clip"})");
    write_text_file(path / "model.safetensors", handmade::safetensors(header, data));
    return path;
  }
  std::string tensor(const fs::path& model) const {
    const Checkpoint checkpoint(model);
    return std::string(checkpoint.weights().find("w")->bytes);
  }
  std::string refusal(const fs::path& original, const fs::path& tuned) const {
    try {
      WeightBlend(original, tuned);
    } catch (const Error& error) {
      return error.message();
    }
    return "none";
  }
  std::string hint(const fs::path& original, const fs::path& tuned) const {
    try {
      WeightBlend(original, tuned);
    } catch (const Error& error) {
      return error.hint();
    }
    return "none";
  }

  fs::path folder_;
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Blended, LiesBetweenTheTwo) {
  const std::vector<float> original = {1.0F, -2.0F};
  const std::vector<float> tuned = {3.0F, 2.0F};
  EXPECT_EQ(blended(original, tuned, 0.25), (std::vector<float>{1.5F, -1.0F}));
  EXPECT_EQ(blended(original, tuned, 0), original);
}

TEST_F(Blend, IsACopyAtBothEnds) {
  const std::string first = handmade::floats({-0.0F, kNan});
  const std::string second = handmade::floats({std::bit_cast<float>(0x7fc01234U), -0.0F});
  const WeightBlend blend(folder("a", first), folder("b", second));
  blend.write(0, folder_ / "zero", {});
  blend.write(1, folder_ / "one", {});
  EXPECT_EQ(tensor(folder_ / "zero"), first);
  EXPECT_EQ(tensor(folder_ / "one"), second);
}

TEST_F(Blend, WritesWhatLiesBetweenWithTheOriginalsConfig) {
  const WeightBlend blend(folder("a", handmade::floats({1, 2})),
                          folder("b", handmade::floats({2, 4})));
  uint64_t num_told = 0;
  const BlendReport report =
      blend.write(0.5, folder_ / "half", [&](uint64_t done, uint64_t) { num_told = done; });
  EXPECT_EQ(tensor(folder_ / "half"), handmade::floats({1.5F, 3}));
  EXPECT_EQ(read_text_file(folder_ / "half/config.json"), R"({"model_type": "clip"})");
  EXPECT_EQ(report.num_tensors, 1U);
  EXPECT_EQ(report.num_equal, 0U);
  EXPECT_EQ(num_told, 1U);
  EXPECT_NE(read_text_file(folder_ / "half/patch.json").find("\"alpha\": 0.5"), std::string::npos);
}

TEST_F(Blend, KeepsTensorsThatAreTheSame) {
  // 0.7 * x + 0.3 * x is not always x in float32.
  const std::string bits = handmade::floats({0.1F, kNan});
  const WeightBlend blend(folder("a", bits), folder("b", bits));
  EXPECT_EQ(blend.write(0.3, folder_ / "same", {}).num_equal, 1U);
  EXPECT_EQ(tensor(folder_ / "same"), bits);
}

TEST_F(Blend, CastsBackToHalfPrecision) {
  constexpr std::string_view kHeader = R"({"w":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})";
  const WeightBlend blend(folder("a", handmade::little_endian(0x3c00, 2), kHeader),   // 1
                          folder("b", handmade::little_endian(0x4000, 2), kHeader));  // 2
  blend.write(0.5, folder_ / "half", {});
  EXPECT_EQ(tensor(folder_ / "half"), handmade::little_endian(0x3e00, 2));  // 1.5
}

TEST_F(Blend, WritesTheOriginalsTypeWhereTheFineTunedWeightsAreFloat32) {
  const WeightBlend blend(
      folder("a",
             handmade::little_endian(0x3c00, 2),  // 1
             R"({"w":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})"),
      folder(
          "b", handmade::floats({2}), R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})"));
  blend.write(0.5, folder_ / "half", {});
  EXPECT_EQ(tensor(folder_ / "half"), handmade::little_endian(0x3e00, 2));  // 1.5
  blend.write(1, folder_ / "one", {});
  EXPECT_EQ(tensor(folder_ / "one"), handmade::little_endian(0x4000, 2));  // 2
}

TEST_F(Blend, RefusesAnotherShapeTypeOrName) {
  const fs::path a = folder("a", handmade::floats({1, 2}));
  EXPECT_EQ(refusal(a,
                    folder("shape",
                           handmade::floats({1, 2}),
                           R"({"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})")),
            "'w' is [2] in the original and [2, 1] in the fine-tuned weights");
  EXPECT_EQ(refusal(a,
                    folder("type",
                           handmade::floats({1, 2}),
                           R"({"w":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})")),
            "'w' is F32 in the original and I32 in the fine-tuned weights");
  EXPECT_EQ(refusal(a,
                    folder("name",
                           handmade::floats({1, 2}),
                           R"({"v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})")),
            "'v' is only in the fine-tuned weights, and 1 more tensors differ");
}

TEST_F(Blend, NamesTheFlagOfTheNumberTypeWhereTypesDiffer) {
  const fs::path a = folder("a", handmade::floats({1, 2}));
  const fs::path type = folder("type",
                               handmade::floats({1, 2}),
                               R"({"w":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})");
  const fs::path shape = folder("shape",
                                handmade::floats({1, 2}),
                                R"({"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})");
  EXPECT_NE(hint(a, type).find("--save-dtype"), std::string::npos);
  EXPECT_EQ(hint(a, shape).find("--save-dtype"), std::string::npos);
}

TEST_F(Blend, RefusesWholeNumbersThatDiffer) {
  constexpr std::string_view kHeader = R"({"w":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}})";
  const WeightBlend blend(folder("a", handmade::little_endian(1, 4), kHeader),
                          folder("b", handmade::little_endian(2, 4), kHeader));
  EXPECT_THROW(blend.write(0.5, folder_ / "half", {}), Error);
  EXPECT_FALSE(fs::exists(folder_ / "half"));
}

TEST_F(Blend, LeavesWhatIsThere) {
  const fs::path a = folder("a", handmade::floats({1, 2}));
  const WeightBlend blend(a, a);
  EXPECT_THROW(blend.write(0.5, a, {}), Error);
}

}  // namespace
}  // namespace snellen::models
