// SPDX-License-Identifier: Apache-2.0
// No folder of OTTER's is published, so a small one is made here and computed a second time from
// its plain weights, without folded norms and without batches.
#include <map>
#include <string>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network.h"
#include "snellen/models/similarity.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

using Tensors = std::map<std::string, at::Tensor>;

constexpr const char* kConfig = R"({"model_type": "otter", "image_arch": "resnet50",
    "image_layers": [1, 2, 1, 1], "image_width": 2, "embedding_dim": 6, "max_token_length": 9,
    "temperature": 7.5, "text_config": {"model_type": "bert", "vocab_size": 11, "hidden_size": 6,
    "intermediate_size": 5, "num_attention_heads": 2, "num_hidden_layers": 1,
    "max_position_embeddings": 12, "layer_norm_eps": 1e-3}})";

void add_normed(Tensors& all,
                const std::string& conv,
                const std::string& norm,
                at::IntArrayRef shape) {
  all[conv + ".weight"] = at::randn(shape) * 0.3;
  all[norm + ".weight"] = at::rand({shape[0]}) + 0.5;
  all[norm + ".bias"] = at::randn({shape[0]}) * 0.1;
  all[norm + ".running_mean"] = at::randn({shape[0]}) * 0.1;
  all[norm + ".running_var"] = at::rand({shape[0]}) + 0.5;
}

void add_linear(Tensors& all, const std::string& name, int64_t out, int64_t in) {
  all[name + ".weight"] = at::randn({out, in}) * 0.4;
  all[name + ".bias"] = at::randn({out}) * 0.1;
}

void add_layer_norm(Tensors& all, const std::string& name) {
  all[name + ".weight"] = at::rand({6}) + 0.5;
  all[name + ".bias"] = at::randn({6}) * 0.1;
}

Tensors weights_of_otter() {
  at::manual_seed(3);
  Tensors all;
  const std::string image = "image_encoder.model.", text = "text_encoder.model.";
  add_normed(all, image + "conv1", image + "bn1", {2, 3, 7, 7});
  int64_t in = 2;
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < (stage == 1 ? 2 : 1); ++i) {
      int64_t planes = int64_t{2} << stage;
      std::string block = fmt::format("{}layer{}.{}.", image, stage + 1, i);
      add_normed(all, block + "conv1", block + "bn1", {planes, in, 1, 1});
      add_normed(all, block + "conv2", block + "bn2", {planes, planes, 3, 3});
      add_normed(all, block + "conv3", block + "bn3", {4 * planes, planes, 1, 1});
      if (i == 0)
        add_normed(all, block + "downsample.0", block + "downsample.1", {4 * planes, in, 1, 1});
      in = 4 * planes;
    }
  }
  add_linear(all, image + "fc", 6, in);
  all[text + "embeddings.word_embeddings.weight"] = at::randn({11, 6});
  all[text + "embeddings.position_embeddings.weight"] = at::randn({12, 6});
  all[text + "embeddings.token_type_embeddings.weight"] = at::randn({2, 6});
  add_layer_norm(all, text + "embeddings.LayerNorm");
  const std::string layer = text + "encoder.layer.0.";
  for (const char* part : {"query", "key", "value"})
    add_linear(all, layer + "attention.self." + part, 6, 6);
  add_linear(all, layer + "attention.output.dense", 6, 6);
  add_layer_norm(all, layer + "attention.output.LayerNorm");
  add_linear(all, layer + "intermediate.dense", 5, 6);
  add_linear(all, layer + "output.dense", 6, 5);
  add_layer_norm(all, layer + "output.LayerNorm");
  return all;
}

std::string safetensors_of(const Tensors& tensors) {
  std::string header, data;
  for (const auto& [name, tensor] : tensors) {
    at::Tensor plain = tensor.contiguous();
    size_t begin = data.size();
    data.append(static_cast<const char*>(plain.data_ptr()), plain.nbytes());
    std::string shape;
    for (int64_t size : plain.sizes()) shape += fmt::format("{}{}", shape.empty() ? "" : ",", size);
    header += fmt::format(R"({}"{}":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}})",
                          header.empty() ? "" : ",",
                          name,
                          shape,
                          begin,
                          data.size());
  }
  return handmade::safetensors("{" + header + "}", data);
}

struct Reference {
  const Tensors& all;

  const at::Tensor& at(const std::string& name) const { return all.at(name); }
  at::Tensor normed(const at::Tensor& x,
                    const std::string& conv,
                    const std::string& norm,
                    int64_t stride,
                    int64_t padding) const {
    at::Tensor y = at::conv2d(x, at(conv + ".weight"), {}, {stride, stride}, {padding, padding});
    return at::batch_norm(y,
                          at(norm + ".weight"),
                          at(norm + ".bias"),
                          at(norm + ".running_mean"),
                          at(norm + ".running_var"),
                          false,
                          0,
                          1e-5,
                          false);
  }
  at::Tensor image(const at::Tensor& pixels) const {
    const std::string prefix = "image_encoder.model.";
    at::Tensor x = at::relu(normed(pixels, prefix + "conv1", prefix + "bn1", 2, 3));
    x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
    for (int stage = 0; stage < 4; ++stage) {
      for (int i = 0; i < (stage == 1 ? 2 : 1); ++i) {
        std::string block = fmt::format("{}layer{}.{}.", prefix, stage + 1, i);
        int64_t stride = stage > 0 && i == 0 ? 2 : 1;
        at::Tensor y = at::relu(normed(x, block + "conv1", block + "bn1", 1, 0));
        y = at::relu(normed(y, block + "conv2", block + "bn2", stride, 1));
        y = normed(y, block + "conv3", block + "bn3", 1, 0);
        if (i == 0) x = normed(x, block + "downsample.0", block + "downsample.1", stride, 0);
        x = at::relu(x + y);
      }
    }
    return at::linear(x.mean({2, 3}), at(prefix + "fc.weight"), at(prefix + "fc.bias"));
  }
  at::Tensor linear(const at::Tensor& x, const std::string& name) const {
    return at::linear(x, at(name + ".weight"), at(name + ".bias"));
  }
  at::Tensor layer_norm(const at::Tensor& x, const std::string& name) const {
    return at::layer_norm(x, {6}, at(name + ".weight"), at(name + ".bias"), 1e-3);
  }
  at::Tensor text(const TokenIds& ids) const {
    const std::string prefix = "text_encoder.model.", layer = prefix + "encoder.layer.0.";
    auto n = static_cast<int64_t>(ids.size());
    at::Tensor x = at(prefix + "embeddings.word_embeddings.weight")
                       .index_select(0, at::tensor(ids).to(at::kLong)) +
                   at(prefix + "embeddings.position_embeddings.weight").narrow(0, 0, n) +
                   at(prefix + "embeddings.token_type_embeddings.weight")[0];
    x = layer_norm(x, prefix + "embeddings.LayerNorm");
    auto heads = [&](const char* part) {
      return linear(x, layer + "attention.self." + part).view({n, 2, 3}).transpose(0, 1);
    };
    at::Tensor weights =
        at::softmax(heads("query").matmul(heads("key").transpose(1, 2)) / std::sqrt(3.0), -1);
    at::Tensor seen = weights.matmul(heads("value")).transpose(0, 1).reshape({n, 6});
    x = layer_norm(x + linear(seen, layer + "attention.output.dense"),
                   layer + "attention.output.LayerNorm");
    at::Tensor inner = at::gelu(linear(x, layer + "intermediate.dense"));
    return layer_norm(x + linear(inner, layer + "output.dense"), layer + "output.LayerNorm")
        .mean(0);
  }
};

std::unique_ptr<Network> load_folder(const std::filesystem::path& folder) {
  Checkpoint checkpoint(folder);
  for (const auto& architecture : built_in_networks()) {
    if (architecture->reads(checkpoint)) return architecture->load(checkpoint, {});
  }
  return nullptr;
}

TEST(Otter, ComputesWhatItsPlainWeightsSay) {
  Tensors all = weights_of_otter();
  handmade::Folder folder("otter");
  folder.put("config.json", kConfig);
  folder.put("model.safetensors", safetensors_of(all));
  std::unique_ptr<Network> network = load_folder(folder.path());
  ASSERT_TRUE(network && network->dual());
  Reference reference{all};
  at::Tensor pixels = at::randn({2, 3, 40, 40});
  PixelsView view{.count = 2,
                  .height = 40,
                  .width = 40,
                  .values = {pixels.data_ptr<float>(), static_cast<size_t>(pixels.numel())}};
  std::vector<TokenIds> texts = {{1, 4, 2}, {1, 5, 6, 7, 8, 2}};
  Matrix images = network->dual()->embed_images(view),
         vectors = network->dual()->embed_texts(texts);
  Matrix scores = score_all(images, vectors, network->dual()->similarity("itc"));
  at::Tensor seen = reference.image(pixels);
  for (size_t i = 0; i < 2; ++i) {
    for (size_t t = 0; t < 2; ++t) {
      at::Tensor text = reference.text(texts[t]), image = seen[static_cast<int64_t>(i)];
      double want = (7.5 * image.dot(text) / (image.norm() * text.norm())).item<double>();
      EXPECT_NEAR(scores.row(i)[t], want, 2e-5) << i << " " << t;
    }
  }
}

TEST(Otter, RefusesAnImageEncoderItDoesNotKnow) {
  handmade::Folder folder("otter_unknown");
  folder.put("config.json", R"({"model_type": "otter", "image_arch": "vit"})");
  folder.put("model.safetensors", safetensors_of({{"x", at::ones({1})}}));
  EXPECT_THROW(load_folder(folder.path()), Error);
}

}  // namespace
}  // namespace snellen::models
