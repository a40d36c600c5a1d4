// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/convert.h"

#include <algorithm>

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/nn/layers.h"
#include "snellen/models/nn/staged_pixels.h"

namespace snellen::models::nn {

at::Tensor to_tensor(const PixelsView& pixels,
                     const at::TensorOptions& options,
                     int64_t height,
                     int64_t width) {
  if ((height != 0 && pixels.height != height) || (width != 0 && pixels.width != width)) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("pictures are {} x {}, the model takes {} x {}",
                            pixels.width,
                            pixels.height,
                            width,
                            height),
                {},
                "does preprocessor_config.json belong to this model?"};
  }
  if (pixels.staged) return tensor_of(*pixels.staged);
  SNELLEN_CHECK(pixels.values.size() ==
                static_cast<size_t>(pixels.count * 3 * pixels.height * pixels.width));
  // Copied: what the caller holds may be gone before a device has read it.
  return at::from_blob(
             const_cast<float*>(
                 pixels.values.data()),  // NOLINT(cppcoreguidelines-pro-type-const-cast): read only
             {pixels.count, 3, pixels.height, pixels.width},
             at::kFloat)
      .to(options, /*non_blocking=*/false, /*copy=*/true);
}

at::Tensor to_tensor(const Matrix& matrix, const at::TensorOptions& options) {
  at::Tensor tensor =
      at::empty({static_cast<int64_t>(matrix.num_rows), static_cast<int64_t>(matrix.num_columns)},
                at::kFloat);
  std::copy(matrix.values.begin(), matrix.values.end(), tensor.data_ptr<float>());
  return tensor.to(options);
}

Matrix to_matrix(const at::Tensor& tensor) {
  at::Tensor rows = tensor.reshape({tensor.size(0), -1})
                        .to(at::TensorOptions(at::kCPU).dtype(at::kFloat))
                        .contiguous();
  Matrix matrix{.num_rows = static_cast<size_t>(rows.size(0)),
                .num_columns = static_cast<size_t>(rows.size(1)),
                .values = {}};
  matrix.values.assign(rows.data_ptr<float>(), rows.data_ptr<float>() + rows.numel());
  return matrix;
}

void record(Trace* trace, std::string_view name, const at::Tensor& tensor) {
  if (!trace) return;
  at::Tensor plain = tensor.to(at::TensorOptions(at::kCPU).dtype(at::kFloat)).contiguous();
  trace->record(name,
                {plain.sizes().data(), plain.sizes().size()},
                {plain.data_ptr<float>(), static_cast<size_t>(plain.numel())});
}

void record(Trace* trace, std::string_view tower, size_t layer, const at::Tensor& tensor) {
  if (trace) record(trace, fmt::format("{}.{}", tower, layer), tensor);
}

at::ScalarType scalar_type_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::kFloat32:
      return at::kFloat;
    case ElementKind::kBFloat16:
      return at::kBFloat16;
    case ElementKind::kFloat16:
      return at::kHalf;
  }
  return at::kFloat;
}

at::Device device_of(const std::string& name) {
  at::Device device(name);
  if (!device.is_cuda()) return device;
  const int count = at::hasCUDA() ? at::detail::getCUDAHooks().getNumGPUs() : 0;
  if (count > 0 && device.index() < count) return device;
  throw Error{ErrorCode::kUsage,
              count > 0 ? fmt::format("{} is not there: this machine has {} GPUs", name, count)
                        : "torch finds no GPU: there is none, or this torch was built without CUDA",
              "--device",
              "use --device cpu, or build with SNELLEN_TORCH_DIR at a CUDA build of torch"};
}

}  // namespace snellen::models::nn
