// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/fused.h"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/custom_function.h>

namespace snellen::models::nn {
namespace {

// Kernels of ours have no gradients.
bool may_fuse(const at::Tensor& x) {
  return x.is_cuda() && c10::InferenceMode::is_enabled();
}

// Results that nobody else holds and no gradient wants are changed in place.
bool may_reuse(const at::Tensor& x) {
  return x.is_cpu() && c10::InferenceMode::is_enabled();
}

at::Tensor activated_in_place(Activation activation, at::Tensor x) {
  switch (activation) {
    case Activation::kQuickGelu:
      return x.mul_((x * 1.702).sigmoid_());
    case Activation::kGelu:
      return at::gelu_(x);
    case Activation::kGeluTanh:
      return at::gelu_(x, "tanh");
    default:
      return activate(activation, x);
  }
}

// Quick GELU in one pass each way; autograd would keep three tensors and take eight passes.
struct LearntQuickGelu : torch::autograd::Function<LearntQuickGelu> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    return cuda::quick_gelu(x);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    at::Tensor x = context->get_saved_variables().at(0);
    return {cuda::quick_gelu_gradient(gradients.at(0).contiguous(), x)};
  }
};

// The product's own epilogue, where cuBLAS has one for the activation.
bool has_epilogue(const Linear& product, Activation activation, const at::Tensor& x) {
  return product.bias.defined() && x.scalar_type() != at::kFloat &&
         (activation == Activation::kGeluTanh || activation == Activation::kRelu);
}

}  // namespace

cuda::Summed add_norm(const at::Tensor& x, const at::Tensor& y, const LayerNorm& norm) {
  if (may_fuse(x) && norm.weight.defined() && norm.bias.defined()) {
    cuda::Summed both = cuda::add_norm(x, y, norm.weight, norm.bias, norm.eps);
    if (both.sum.defined()) return both;
  }
  at::Tensor sum = may_reuse(y) && y.sizes() == x.sizes() ? y.add_(x) : x + y;
  return {.sum = sum, .normed = norm(sum)};
}

at::Tensor activated_product(const Linear& product, Activation activation, const at::Tensor& x) {
  if (may_reuse(x)) return activated_in_place(activation, product(x));
  if (!may_fuse(x)) {
    at::Tensor y = product(x);
    if (activation == Activation::kQuickGelu && cuda::has_quick_gelu(y))
      return LearntQuickGelu::apply(y);
    return activate(activation, y);
  }
  if (has_epilogue(product, activation, x)) {
    std::vector<int64_t> shape = x.sizes().vec();
    at::Tensor y = at::_addmm_activation(product.bias,
                                         x.reshape({-1, shape.back()}),
                                         product.weight.t(),
                                         /*beta=*/1,
                                         /*alpha=*/1,
                                         /*use_gelu=*/activation == Activation::kGeluTanh);
    shape.back() = product.weight.size(0);
    return y.view(shape);
  }
  at::Tensor y = product(x);
  if (activation != Activation::kQuickGelu || !cuda::has_quick_gelu(y))
    return activate(activation, y);
  cuda::quick_gelu_in_place(y);
  return y;
}

}  // namespace snellen::models::nn
