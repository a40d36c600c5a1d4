// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/cuda/kernels.h"

#include <optional>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "snellen/base/error.h"
#include "snellen/models/nn/cuda/launch.h"

namespace snellen::models::nn::cuda {
namespace {

std::optional<Element> element_of(at::ScalarType type) {
  switch (type) {
    case at::kFloat:
      return Element::kFloat32;
    case at::kBFloat16:
      return Element::kBFloat16;
    case at::kHalf:
      return Element::kFloat16;
    default:
      return std::nullopt;
  }
}

bool is_plain(const at::Tensor& x) {
  return x.is_cuda() && x.is_contiguous() && reinterpret_cast<uintptr_t>(x.data_ptr()) % 16 == 0;
}

void launch_quick_gelu_into(const at::Tensor& x, const at::Tensor& y) {
  c10::cuda::CUDAGuard guard(x.device());
  launch_quick_gelu(*element_of(x.scalar_type()),
                    x.data_ptr(),
                    y.data_ptr(),
                    x.numel(),
                    c10::cuda::getCurrentCUDAStream());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

bool has_quick_gelu(const at::Tensor& x) {
  return element_of(x.scalar_type()) && is_plain(x) && x.numel() > 0 && x.numel() % kVector == 0;
}

at::Tensor quick_gelu(const at::Tensor& x) {
  at::Tensor y = at::empty_like(x);
  launch_quick_gelu_into(x, y);
  return y;
}

void quick_gelu_in_place(at::Tensor& x) {
  launch_quick_gelu_into(x, x);
}

at::Tensor quick_gelu_gradient(const at::Tensor& gradient, const at::Tensor& x) {
  SNELLEN_CHECK(is_plain(gradient) && gradient.sizes() == x.sizes() &&
                gradient.scalar_type() == x.scalar_type());
  at::Tensor result = at::empty_like(x);
  c10::cuda::CUDAGuard guard(x.device());
  launch_quick_gelu_gradient(*element_of(x.scalar_type()),
                             gradient.data_ptr(),
                             x.data_ptr(),
                             result.data_ptr(),
                             x.numel(),
                             c10::cuda::getCurrentCUDAStream());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return result;
}

Summed add_norm(const at::Tensor& x,
                const at::Tensor& y,
                const at::Tensor& weight,
                const at::Tensor& bias,
                double eps) {
  std::optional<Element> type = element_of(x.scalar_type());
  int64_t width = x.size(-1);
  bool fits = type && x.numel() > 0 && width % kVector == 0 && width <= kWidestRow &&
              x.sizes() == y.sizes() && is_plain(x) && is_plain(y) && is_plain(weight) &&
              is_plain(bias);
  for (const at::Tensor* other : {&y, &weight, &bias})
    fits = fits && other->scalar_type() == x.scalar_type();
  if (!fits) return {};
  c10::cuda::CUDAGuard guard(x.device());
  Summed out = {.sum = at::empty_like(x), .normed = at::empty_like(x)};
  launch_add_norm(*type,
                  {.x = x.data_ptr(),
                   .y = y.data_ptr(),
                   .weight = weight.data_ptr(),
                   .bias = bias.data_ptr(),
                   .sum = out.sum.data_ptr(),
                   .normed = out.normed.data_ptr(),
                   .rows = x.numel() / width,
                   .width = width,
                   .eps = static_cast<float>(eps)},
                  c10::cuda::getCurrentCUDAStream());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

}  // namespace snellen::models::nn::cuda
