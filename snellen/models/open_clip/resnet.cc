// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/open_clip/resnet.h"

#include <fmt/format.h>

#include "snellen/models/nn/convert.h"

namespace snellen::models::open_clip {
namespace {

constexpr double kBatchNormEps = 1e-5;
constexpr int64_t kExpansion = 4;

nn::Convolution load_convolution(nn::Weights& weights,
                                 const std::string& convolution,
                                 const std::string& norm,
                                 int64_t out,
                                 int64_t in,
                                 int64_t kernel,
                                 int64_t stride = 1) {
  nn::Convolution loaded = nn::normed_convolution(
      weights, convolution, norm, {.out = out, .in = in, .kernel = kernel, .eps = kBatchNormEps});
  int64_t half = kernel / 2;
  loaded.stride = stride;
  loaded.padding = {half, half, half, half};
  return loaded;
}

Bottleneck load_bottleneck(
    nn::Weights& weights, const std::string& prefix, int64_t in, int64_t planes, int64_t stride) {
  Bottleneck block;
  block.stride = stride;
  block.reduce = load_convolution(weights, prefix + "conv1", prefix + "bn1", planes, in, 1);
  block.spatial = load_convolution(weights, prefix + "conv2", prefix + "bn2", planes, planes, 3);
  block.expand =
      load_convolution(weights, prefix + "conv3", prefix + "bn3", planes * kExpansion, planes, 1);
  if (stride > 1 || in != planes * kExpansion)
    block.shortcut = load_convolution(
        weights, prefix + "downsample.0", prefix + "downsample.1", planes * kExpansion, in, 1);
  return block;
}

at::Tensor pooled(const at::Tensor& x, int64_t stride) {
  return stride > 1 ? at::avg_pool2d(x, {stride, stride}) : x;
}

}  // namespace

at::Tensor Bottleneck::operator()(const at::Tensor& x) const {
  at::Tensor y = expand(pooled(at::relu(spatial(at::relu(reduce(x)))), stride));
  return at::relu(y + (shortcut ? (*shortcut)(pooled(x, stride)) : x));
}

at::Tensor ResNet::operator()(const at::Tensor& pixels, Trace* trace) const {
  at::Tensor x = pixels;
  for (const nn::Convolution& convolution : stem) x = at::relu(convolution(x));
  x = at::avg_pool2d(x, {2, 2});
  for (size_t stage = 0; stage < stages.size(); ++stage) {
    for (const Bottleneck& block : stages[stage]) x = block(x);
    if (trace) nn::record(trace, "vision", stage + 1, x.narrow(0, 0, 1));
  }
  at::Tensor cells = x.flatten(2).transpose(1, 2);
  at::Tensor tokens = at::cat({cells.mean(1, /*keepdim=*/true), cells}, 1) + positions;
  return pool(tokens.narrow(1, 0, 1), pool.remember(tokens)).select(1, 0);
}

ResNet load_resnet(nn::Weights& weights, const ResNetShape& shape) {
  ResNet net;
  net.image_size = shape.image_size;
  int64_t half = shape.width / 2;
  net.stem = {load_convolution(weights, "visual.conv1", "visual.bn1", half, 3, 3, /*stride=*/2),
              load_convolution(weights, "visual.conv2", "visual.bn2", half, half, 3),
              load_convolution(weights, "visual.conv3", "visual.bn3", shape.width, half, 3)};
  int64_t channels = shape.width;
  for (size_t stage = 0; stage < 4; ++stage) {
    int64_t planes = shape.width << stage;
    for (int64_t i = 0; i < shape.layers[stage]; ++i) {
      std::string prefix = fmt::format("visual.layer{}.{}.", stage + 1, i);
      net.stages[stage].push_back(
          load_bottleneck(weights, prefix, channels, planes, i == 0 && stage > 0 ? 2 : 1));
      channels = planes * kExpansion;
    }
  }
  int64_t grid = shape.image_size / 32;
  const std::string pool = "visual.attnpool.";
  net.positions = weights.take(pool + "positional_embedding", {grid * grid + 1, channels});
  net.pool = {.q = weights.linear(pool + "q_proj", channels, channels),
              .kv = weights.merged({pool + "k_proj", pool + "v_proj"}, channels, channels),
              .out = weights.linear(pool + "c_proj", shape.embed_width, channels),
              .num_heads = shape.num_heads};
  return net;
}

}  // namespace snellen::models::open_clip
