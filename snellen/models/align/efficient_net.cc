// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/align/efficient_net.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/models/nn/convert.h"

namespace snellen::models::align {
namespace {

struct Scaling {
  double width;
  double depth;
  int64_t divisor;

  int64_t channels(int64_t count) const {
    double scaled = static_cast<double>(count) * width;
    int64_t rounded = std::max(
        divisor,
        static_cast<int64_t>(scaled + static_cast<double>(divisor) / 2) / divisor * divisor);
    return static_cast<double>(rounded) < 0.9 * scaled ? rounded + divisor : rounded;
  }
  int64_t repeats(int64_t count) const {
    return static_cast<int64_t>(std::ceil(depth * static_cast<double>(count)));
  }
};

struct Loader {
  nn::Weights& weights;
  double eps;

  nn::Convolution normed(const std::string& convolution,
                         const std::string& norm,
                         int64_t out,
                         int64_t in_each_group,
                         int64_t kernel) const {
    return nn::normed_convolution(weights,
                                  convolution,
                                  norm,
                                  {.out = out, .in = in_each_group, .kernel = kernel, .eps = eps});
  }

  nn::Convolution plain(const std::string& name, int64_t out, int64_t in) const {
    return {.weight = weights.take(name + ".weight", {out, in, 1, 1}),
            .bias = weights.take(name + ".bias", {out})};
  }
};

struct BlockSizes {
  int64_t in, out, kernel, stride, expand_ratio;
  double squeeze_ratio;
  bool pads_all_round;  // also with a stride
  bool adds_input;
};

Block load_block(const Loader& loader, const std::string& prefix, const BlockSizes& sizes) {
  Block block;
  int64_t inner = sizes.in * sizes.expand_ratio;
  if (sizes.expand_ratio != 1)
    block.expand = loader.normed(
        prefix + "expansion.expand_conv", prefix + "expansion.expand_bn", inner, sizes.in, 1);
  block.depthwise = loader.normed(prefix + "depthwise_conv.depthwise_conv",
                                  prefix + "depthwise_conv.depthwise_norm",
                                  inner,
                                  1,
                                  sizes.kernel);
  block.depthwise.groups = inner;
  block.depthwise.stride = sizes.stride;
  int64_t half = sizes.kernel / 2;
  int64_t before = sizes.stride == 1 || sizes.pads_all_round ? half : half - 1;
  block.depthwise.padding = {before, half, before, half};
  int64_t squeezed = std::max<int64_t>(
      1, static_cast<int64_t>(static_cast<double>(sizes.in) * sizes.squeeze_ratio));
  block.squeeze_reduce = loader.plain(prefix + "squeeze_excite.reduce", squeezed, inner);
  block.squeeze_expand = loader.plain(prefix + "squeeze_excite.expand", inner, squeezed);
  block.project = loader.normed(
      prefix + "projection.project_conv", prefix + "projection.project_bn", sizes.out, inner, 1);
  block.adds_input = sizes.adds_input;
  return block;
}

struct Stages {
  std::vector<int64_t> kernels, in, out, strides, repeats, expand;
};

Stages stages_of(const ConfigView& config) {
  using List = std::vector<int64_t>;
  Stages stages = {.kernels = config.integers("kernel_sizes", List{3, 3, 5, 3, 5, 5, 3}),
                   .in = config.integers("in_channels", List{32, 16, 24, 40, 80, 112, 192}),
                   .out = config.integers("out_channels", List{16, 24, 40, 80, 112, 192, 320}),
                   .strides = config.integers("strides", List{1, 2, 2, 2, 1, 2, 1}),
                   .repeats = config.integers("num_block_repeats", List{1, 2, 2, 3, 3, 4, 1}),
                   .expand = config.integers("expand_ratios", List{1, 6, 6, 6, 6, 6, 6})};
  for (const List* list :
       {&stages.in, &stages.out, &stages.strides, &stages.repeats, &stages.expand}) {
    if (list->size() != stages.kernels.size())
      config.fail("kernel_sizes", "and the other lists of stages differ in length");
    for (int64_t value : *list) {
      if (value < 1 || value > 4096)
        config.fail("in_channels", "and the other lists of stages hold 1 to 4096");
    }
  }
  for (int64_t kernel : stages.kernels) {
    if (kernel < 1 || kernel > 31 || kernel % 2 == 0)
      config.fail("kernel_sizes", "must be odd, 1 to 31");
  }
  return stages;
}

}  // namespace

at::Tensor Block::operator()(const at::Tensor& x, nn::Activation activation) const {
  at::Tensor y = expand ? nn::activate(activation, (*expand)(x)) : x;
  y = nn::activate(activation, depthwise(y));
  at::Tensor squeezed = at::adaptive_avg_pool2d(y, {1, 1});
  y = y * at::sigmoid(squeeze_expand(nn::activate(activation, squeeze_reduce(squeezed))));
  y = project(y);
  return adds_input ? y + x : y;
}

at::Tensor EfficientNet::operator()(const at::Tensor& pixels, Trace* trace) const {
  at::Tensor x = nn::activate(activation, stem(pixels));
  if (trace) nn::record(trace, "vision", 0, x.narrow(0, 0, 1));
  for (size_t i = 0; i < blocks.size(); ++i) {
    x = blocks[i](x, activation);
    if (trace) nn::record(trace, "vision", i + 1, x.narrow(0, 0, 1));
  }
  return pools_maximum ? x.amax({2, 3}) : x.mean({2, 3});
}

EfficientNet load_efficient_net(nn::Weights& weights, const ConfigView& config) {
  EfficientNet net;
  Scaling scaling = {.width = config.positive_number("width_coefficient", 2.0),
                     .depth = config.positive_number("depth_coefficient", 3.1),
                     .divisor = config.positive("depth_divisor", 8)};
  Loader loader = {.weights = weights, .eps = config.positive_number("batch_norm_eps", 1e-3)};
  net.activation = nn::activation_of(config.text("hidden_act", "swish"));
  net.pools_maximum = config.text("pooling_type", "mean") == "max";
  Stages stages = stages_of(config);
  net.stem = loader.normed("vision_model.embeddings.convolution",
                           "vision_model.embeddings.batchnorm",
                           scaling.channels(32),
                           3,
                           3);
  net.stem.stride = 2;
  net.stem.padding = {0, 1, 0, 1};
  std::vector<int64_t> pads_all_round =
      config.integers("depthwise_padding", std::vector<int64_t>{});
  double squeeze = config.positive_number("squeeze_expansion_ratio", 0.25);
  int64_t number = 0;
  for (size_t stage = 0; stage < stages.kernels.size(); ++stage) {
    int64_t out = scaling.channels(stages.out[stage]);
    int64_t repeats = scaling.repeats(stages.repeats[stage]);
    if (repeats > 1024) config.fail("depth_coefficient", "makes more than 1024 blocks a stage");
    for (int64_t i = 0; i < repeats; ++i, ++number) {
      BlockSizes sizes = {
          .in = i == 0 ? scaling.channels(stages.in[stage]) : out,
          .out = out,
          .kernel = stages.kernels[stage],
          .stride = i == 0 ? stages.strides[stage] : 1,
          .expand_ratio = stages.expand[stage],
          .squeeze_ratio = squeeze,
          .pads_all_round = std::find(pads_all_round.begin(), pads_all_round.end(), number) !=
                            pads_all_round.end(),
          .adds_input = i > 0};
      net.blocks.push_back(
          load_block(loader, fmt::format("vision_model.encoder.blocks.{}.", number), sizes));
    }
    net.width = out;
  }
  return net;
}

}  // namespace snellen::models::align
