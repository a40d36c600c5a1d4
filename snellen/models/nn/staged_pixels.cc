// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/staged_pixels.h"

#include <c10/core/InferenceMode.h>

#include "snellen/base/error.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/cuda/decode_pictures.h"

namespace snellen::models::nn {
namespace {

class Staged : public StagedPixels {
 public:
  explicit Staged(at::Tensor tensor) : tensor_(std::move(tensor)) {}
  const at::Tensor& tensor() const { return tensor_; }

 private:
  at::Tensor tensor_;
};

}  // namespace

std::unique_ptr<StagedPixels> stage_pixels(const PixelsView& pixels,
                                           const NetworkOptions& options) {
  c10::InferenceMode guard;
  at::Device device(options.device);
  at::TensorOptions wanted = at::TensorOptions(device).dtype(scalar_type_of(options.dtype));
  SNELLEN_CHECK(!pixels.staged);
  if (device.is_cpu()) return std::make_unique<Staged>(to_tensor(pixels, wanted));
  // Rounded before it travels: half the bytes.
  at::Tensor rounded = to_tensor(pixels, wanted.device(at::kCPU)).pin_memory();
  return std::make_unique<Staged>(rounded.to(device, /*non_blocking=*/true));
}

std::unique_ptr<StagedPixels> stage_bytes(const BytePixels& pixels, const NetworkOptions& options) {
  c10::InferenceMode guard;
  at::Device device(options.device);
  SNELLEN_CHECK(pixels.table.size() == 3 * 256);
  auto borrowed = [](const auto& span, at::IntArrayRef shape, at::ScalarType type) {
    // from_blob takes no pointer to const; nothing writes through it.
    void* data = const_cast<void*>(static_cast<const void*>(span.data()));  // NOLINT(*-const-cast)
    return at::from_blob(data, shape, at::TensorOptions().dtype(type));
  };
  at::Tensor table = borrowed(pixels.table, {3 * 256}, at::ScalarType::Float);
  at::Tensor bytes;
  if (pixels.on_device) {
    bytes = cuda::tensor_of(*pixels.on_device).narrow(0, pixels.first, pixels.count);
  } else {
    bytes = borrowed(
        pixels.bytes, {pixels.count, pixels.height, pixels.width, 3}, at::ScalarType::Byte);
    if (!device.is_cpu()) bytes = bytes.pin_memory();
  }
  at::Tensor places = bytes.to(device, /*non_blocking=*/true).to(at::ScalarType::Int);
  places.add_(at::arange(3, places.options()).mul_(256));
  at::Tensor values = table.to(device).index_select(0, places.permute({0, 3, 1, 2}).reshape({-1}));
  return std::make_unique<Staged>(values.to(scalar_type_of(options.dtype))
                                      .view({pixels.count, 3, pixels.height, pixels.width}));
}

const at::Tensor& tensor_of(const StagedPixels& staged) {
  const auto* ours = dynamic_cast<const Staged*>(&staged);
  SNELLEN_CHECK(ours != nullptr);
  return ours->tensor();
}

}  // namespace snellen::models::nn
