// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/layers.h"

#include <array>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/nn/fused.h"

namespace snellen::models::nn {
namespace {

constexpr int64_t kFewestRows = 16;
constexpr int64_t kTile = 64;

struct NamedActivation {
  std::string_view name;
  Activation activation;
};

constexpr std::array<NamedActivation, 7> kActivations = {
    {{"gelu", Activation::kGelu},
     {"gelu_new", Activation::kGeluTanh},
     {"gelu_pytorch_tanh", Activation::kGeluTanh},
     {"quick_gelu", Activation::kQuickGelu},
     {"relu", Activation::kRelu},
     {"silu", Activation::kSilu},
     {"swish", Activation::kSilu}}};

at::Tensor padded_rows(const at::Tensor& rows, int64_t count) {
  return at::constant_pad_nd(rows, {0, 0, 0, count - rows.size(0)});
}

}  // namespace

Activation activation_of(std::string_view name) {
  for (const NamedActivation& known : kActivations) {
    if (known.name == name) return known.activation;
  }
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("unknown activation '{}'", name),
              "config.json",
              "known are gelu, gelu_new, gelu_pytorch_tanh, quick_gelu, relu, silu and swish"};
}

std::string_view name_of(Activation activation) {
  for (const NamedActivation& known : kActivations) {
    if (known.activation == activation) return known.name;
  }
  return "gelu";
}

at::Tensor activate(Activation activation, const at::Tensor& x) {
  switch (activation) {
    case Activation::kGelu:
      return at::gelu(x);
    case Activation::kGeluTanh:
      return at::gelu(x, "tanh");
    case Activation::kQuickGelu:
      return x * at::sigmoid(x * 1.702);
    case Activation::kRelu:
      return at::relu(x);
    case Activation::kSilu:
      return at::silu(x);
  }
  return x;
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  int64_t rows = x.size(-1) == 0 ? 0 : x.numel() / x.size(-1);
  if (rows >= kFewestRows || !x.is_cpu()) return at::linear(x, weight, bias);
  at::Tensor padded = padded_rows(x.reshape({rows, x.size(-1)}), kFewestRows);
  at::Tensor y = at::linear(padded, weight, bias).narrow(0, 0, rows);
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return y.reshape(shape);
}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, weight, bias, eps);
}

at::Tensor Mlp::operator()(const at::Tensor& x) const {
  return out(activated_product(in, activation, x));
}

at::Tensor PatchEmbedding::operator()(const at::Tensor& pixels) const {
  int64_t n = pixels.size(0), rows = pixels.size(2) / patch, columns = pixels.size(3) / patch;
  if (rows == 0 || columns == 0) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("a picture of {} x {} has no whole patch of {}",
                            pixels.size(3),
                            pixels.size(2),
                            patch)};
  }
  at::Tensor patches = pixels.narrow(2, 0, rows * patch)
                           .narrow(3, 0, columns * patch)
                           .unflatten(3, {columns, patch})
                           .unflatten(2, {rows, patch})
                           .permute({0, 2, 4, 1, 3, 5})
                           .reshape({n, rows * columns, 3 * patch * patch});
  return projection(patches);
}

at::Tensor l2_normalized(const at::Tensor& x) {
  return x / at::norm(x, 2, {-1}, /*keepdim=*/true);
}

at::Tensor tiled_product(const at::Tensor& a, const at::Tensor& b) {
  at::Tensor rows = a.to(at::kFloat), columns = b.to(at::kFloat);
  if (!rows.is_cpu() || rows.requires_grad() || columns.requires_grad())
    return rows.matmul(columns.t());
  at::Tensor out = at::empty({rows.size(0), columns.size(0)}, rows.options());
  for (int64_t i = 0; i < rows.size(0); i += kTile) {
    int64_t height = std::min(kTile, rows.size(0) - i);
    at::Tensor left = padded_rows(rows.narrow(0, i, height), kTile);
    for (int64_t j = 0; j < columns.size(0); j += kTile) {
      int64_t width = std::min(kTile, columns.size(0) - j);
      at::Tensor tile = left.matmul(padded_rows(columns.narrow(0, j, width), kTile).t());
      out.narrow(0, i, height)
          .narrow(1, j, width)
          .copy_(tile.narrow(0, 0, height).narrow(1, 0, width));
    }
  }
  return out;
}

}  // namespace snellen::models::nn
