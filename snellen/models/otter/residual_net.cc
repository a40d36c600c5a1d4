// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/otter/residual_net.h"

#include <fmt/format.h>

#include "snellen/models/nn/convert.h"

namespace snellen::models::otter {
namespace {

constexpr double kBatchNormEps = 1e-5;
constexpr int64_t kExpansion = 4;

struct Loader {
  nn::Weights& weights;

  nn::Convolution operator()(const std::string& convolution,
                             const std::string& norm,
                             const nn::ConvolutionShape& shape,
                             int64_t stride = 1) const {
    nn::Convolution loaded = nn::normed_convolution(weights, convolution, norm, shape);
    int64_t half = shape.kernel / 2;
    loaded.stride = stride;
    loaded.padding = {half, half, half, half};
    return loaded;
  }

  ResidualBlock block(const std::string& prefix, int64_t in, int64_t planes, int64_t stride) const {
    const Loader& load = *this;
    int64_t out = planes * kExpansion;
    auto shape = [](int64_t to, int64_t from, int64_t kernel) {
      return nn::ConvolutionShape{.out = to, .in = from, .kernel = kernel, .eps = kBatchNormEps};
    };
    ResidualBlock block;
    block.reduce = load(prefix + "conv1", prefix + "bn1", shape(planes, in, 1));
    block.spatial = load(prefix + "conv2", prefix + "bn2", shape(planes, planes, 3), stride);
    block.expand = load(prefix + "conv3", prefix + "bn3", shape(out, planes, 1));
    if (stride > 1 || in != out)
      block.shortcut =
          load(prefix + "downsample.0", prefix + "downsample.1", shape(out, in, 1), stride);
    return block;
  }
};

}  // namespace

at::Tensor ResidualBlock::operator()(const at::Tensor& x) const {
  at::Tensor y = expand(at::relu(spatial(at::relu(reduce(x)))));
  return at::relu(y + (shortcut ? (*shortcut)(x) : x));
}

at::Tensor ResidualNet::operator()(const at::Tensor& pixels, Trace* trace) const {
  at::Tensor x = at::max_pool2d(at::relu(stem(pixels)), {3, 3}, {2, 2}, {1, 1});
  for (size_t i = 0; i < stages.size(); ++i) {
    for (const ResidualBlock& block : stages[i]) x = block(x);
    if (trace) nn::record(trace, "vision", i + 1, x.narrow(0, 0, 1));
  }
  return head(x.mean({2, 3}));
}

ResidualNet load_residual_net(nn::Weights& weights,
                              const std::string& prefix,
                              const ResidualNetShape& shape) {
  ResidualNet net;
  Loader load{weights};
  net.stem = load(prefix + "conv1",
                  prefix + "bn1",
                  {.out = shape.width, .in = 3, .kernel = 7, .eps = kBatchNormEps},
                  /*stride=*/2);
  int64_t channels = shape.width;
  for (size_t stage = 0; stage < shape.layers.size(); ++stage) {
    int64_t planes = shape.width << stage;
    net.stages.emplace_back();
    for (int64_t i = 0; i < shape.layers[stage]; ++i) {
      net.stages.back().push_back(load.block(fmt::format("{}layer{}.{}.", prefix, stage + 1, i),
                                             channels,
                                             planes,
                                             i == 0 && stage > 0 ? 2 : 1));
      channels = planes * kExpansion;
    }
  }
  net.head = weights.linear(prefix + "fc", shape.embed_width, channels);
  return net;
}

}  // namespace snellen::models::otter
