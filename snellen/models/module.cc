// SPDX-License-Identifier: Apache-2.0
// The one exports of the module: everything else in it is hidden.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include "snellen/base/version.h"
#include "snellen/models/network_module.h"
#include "snellen/models/nn/cuda/decode_pictures.h"
#include "snellen/models/nn/staged_pixels.h"
#include "snellen/models/nn/tensor_memory.h"

namespace {

// What follows `key` in torch's description of itself.
std::string fact_of(const std::string& config, const std::string& key) {
  size_t begin = config.find(key);
  if (begin == std::string::npos) return {};
  begin += key.size();
  return config.substr(begin, config.find_first_of(", \n", begin) - begin);
}

// Asked of the library that was loaded, not of the headers this was compiled with.
std::string torch_build() {
  std::string config = at::show_config();
  std::string cuda = fact_of(config, "CUDA Runtime ");
  return fact_of(config, "TORCH_VERSION=") + (cuda.empty() ? "" : " CUDA " + cuda);
}

// MKL finds its kernels at the first call. Two threads that both make it are now and then answered
// by different kernels (tanh: some ten in 100,000 processes), so one thread makes it.
void settle_kernels() {
  c10::InferenceMode guard;
  const at::Tensor x = at::zeros({16, 16});
  (void)at::linear(at::tanh(at::exp(x)), x);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void snellen_open_networks(
    snellen::models::NetworkModuleExports& exports);

extern "C" void snellen_open_networks(snellen::models::NetworkModuleExports& exports) {
  // One thread a batch; the engine runs many batches at once.
  at::set_num_threads(1);
  snellen::models::nn::use_plain_memory();
  settle_kernels();
  exports.revision = snellen::revision();
  exports.torch = torch_build();
  exports.architectures = snellen::models::built_in_networks();
  exports.stage = &snellen::models::nn::stage_pixels;
  exports.stage_bytes = &snellen::models::nn::stage_bytes;
  exports.decode = snellen::models::nn::cuda::picture_decoder();
  exports.is_out_of_memory = [](const std::exception& thrown) {
    return dynamic_cast<const c10::OutOfMemoryError*>(&thrown) != nullptr;
  };
}
