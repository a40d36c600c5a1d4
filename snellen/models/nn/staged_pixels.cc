// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/staged_pixels.h"

#include <c10/core/InferenceMode.h>

#include "snellen/base/error.h"
#include "snellen/models/nn/convert.h"

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

const at::Tensor& tensor_of(const StagedPixels& staged) {
  const auto* ours = dynamic_cast<const Staged*>(&staged);
  SNELLEN_CHECK(ours != nullptr);
  return ours->tensor();
}

}  // namespace snellen::models::nn
