// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/weights.h"

#include <fstream>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models::nn {
namespace {

using handmade::Folder;

// a.weight and b.weight of [2, 1], their biases of [2], one number.
void put_pairs(const Folder& folder) {
  folder.put("config.json", "{}");
  folder.put(
      "model.safetensors",
      handmade::safetensors(R"({"m.a.weight":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                            R"("m.b.weight":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]},)"
                            R"("m.a.bias":{"dtype":"F32","shape":[2],"data_offsets":[16,24]},)"
                            R"("m.b.bias":{"dtype":"F32","shape":[2],"data_offsets":[24,32]},)"
                            R"("scale":{"dtype":"F32","shape":[1],"data_offsets":[32,36]}})",
                            handmade::floats({1, 2, 3, 4, 5, 6, 7, 8, 9})));
}

TEST(Weights, JoinsLayersOfOneInputInTheOrderNamed) {
  Folder folder("weights_joined");
  put_pairs(folder);
  Checkpoint checkpoint(folder.path());
  Weights weights(checkpoint, {}, {"m."});
  Linear joined = weights.merged({"b", "a"}, 2, 1);
  EXPECT_TRUE(at::equal(joined.weight, at::tensor({3.F, 4.F, 1.F, 2.F}).view({4, 1})));
  EXPECT_TRUE(at::equal(joined.bias, at::tensor({7.F, 8.F, 5.F, 6.F})));
  EXPECT_EQ(weights.unused(), std::vector<std::string>{"scale"});
  EXPECT_EQ(weights.take_number("scale"), 9);
}

TEST(Weights, KeepsFloatsWhereTheyAreAskedFor) {
  Folder folder("weights_in_float");
  put_pairs(folder);
  Checkpoint checkpoint(folder.path());
  Weights weights(checkpoint, {.dtype = ElementKind::kBFloat16}, {"m."});
  {
    Weights::InFloat in_float(weights);
    EXPECT_EQ(weights.take("a.bias", {2}).scalar_type(), at::kFloat);
  }
  EXPECT_EQ(weights.take("a.bias", {2}).scalar_type(), at::kBFloat16);
}

TEST(Weights, SayWhatIsMissingOfAnotherShapeOrNotFinite) {
  Folder folder("weights_wrong");
  folder.put("config.json", "{}");
  folder.put("model.safetensors",
             handmade::safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
                                   handmade::floats({1, std::numeric_limits<float>::infinity()})));
  Checkpoint checkpoint(folder.path());
  Weights weights(checkpoint, {});
  auto message_of = [](auto function) -> std::string {
    try {
      function();
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(message_of([&] { weights.take("b", {2}); }), "the weights lack b");
  EXPECT_EQ(message_of([&] { weights.take("a", {3}); }),
            "a has shape [2], the config asks for [3]");
  EXPECT_EQ(message_of([&] { weights.take("a", {2}); }), "a holds a number that is not finite");
}

// Bytes, from /proc/self/status.
size_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stoull(line.substr(key.size() + 1)) * 1024;
  }
  return 0;
}

// 96 MiB in 24 layers: what stays is one copy, what was held at the worst moment hardly more.
TEST(Weights, HoldsEachOnceAndGivesThePagesOfTheFileBack) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has memory of its own";
#endif
  constexpr size_t kLayers = 24, kLayerBytes = size_t{4} << 20;
  Folder folder("weights_memory");
  folder.put("config.json", "{}");
  std::string header;
  for (size_t i = 0; i < kLayers; ++i)
    header += fmt::format(R"({}"{}.weight":{{"dtype":"F32","shape":[1024,1024],)"
                          R"("data_offsets":[{},{}]}})",
                          i == 0 ? "" : ",",
                          i,
                          i * kLayerBytes,
                          (i + 1) * kLayerBytes);
  folder.put("model.safetensors",
             handmade::safetensors("{" + header + "}", std::string(kLayers * kLayerBytes, '\1')));
  Checkpoint checkpoint(folder.path());
  std::ofstream("/proc/self/clear_refs") << "5";  // starts the peak anew
  size_t before = status_bytes("VmRSS:");
  Weights weights(checkpoint, {});
  std::vector<Linear> layers;
  for (size_t i = 0; i < kLayers; i += 3)
    layers.push_back(
        weights.merged({fmt::format("{}", i), fmt::format("{}", i + 1), fmt::format("{}", i + 2)},
                       1024,
                       1024,
                       /*has_bias=*/false));
  constexpr double kAll = kLayers * kLayerBytes;
  EXPECT_LT(static_cast<double>(status_bytes("VmHWM:") - before), 1.1 * kAll);
  EXPECT_LT(static_cast<double>(status_bytes("VmRSS:") - before), 1.05 * kAll);
}

}  // namespace
}  // namespace snellen::models::nn
