// SPDX-License-Identifier: Apache-2.0
// The networks live in a module of their own, so that only those who load a checkpoint pay for
// libtorch.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/models/device_pictures.h"
#include "snellen/models/network.h"

namespace snellen::models {

// Pictures of one size as bytes [count, height, width, 3], and the number that each byte of a
// channel stands for: a quarter of the floats' size on their way to a GPU, and the same numbers
// there.
struct BytePixels {
  int64_t count = 0;
  int64_t height = 0;
  int64_t width = 0;
  std::span<const uint8_t> bytes;
  std::span<const float> table;               // 3 x 256
  const DevicePictures* on_device = nullptr;  // taken instead of `bytes` when given
  int64_t first = 0;                          // of those, where the `count` begin
};

// What the module hands over when it is opened.
struct NetworkModuleExports {
  std::string_view revision;  // of the sources it was built from
  std::string torch = {};     // the torch it runs with: "2.13.0", "2.13.0 CUDA 13.0"
  std::vector<std::unique_ptr<Architecture>> architectures;
  std::unique_ptr<StagedPixels> (*stage)(const PixelsView& pixels, const NetworkOptions& options);
  std::unique_ptr<StagedPixels> (*stage_bytes)(const BytePixels& pixels,
                                               const NetworkOptions& options);
  bool (*is_out_of_memory)(const std::exception& thrown);
  DecodePictures decode = nullptr;  // null where pictures are decoded on the CPU
};

// An opened module; it stays in the process for good, libtorch cannot be unloaded. Const methods
// are safe from many threads.
class NetworkModule {
 public:
  // Throws kNotFound when the file is not there or lacks a library, kInvalidInput when it was built
  // from other sources than this program.
  explicit NetworkModule(const std::filesystem::path& file);

  std::span<const std::unique_ptr<Architecture>> architectures() const { return architectures_; }
  // The one that reads this checkpoint; throws kInvalidInput naming the nearest model type.
  const Architecture& architecture_of(const Checkpoint& checkpoint) const;
  // Scores are the same bytes for one build of torch; it belongs to a run's identity.
  const std::string& torch() const { return torch_; }
  // Copies pixels to the device of a network loaded with `options`. The copy may still be under way
  // when this returns; forwards of the same thread wait for it.
  std::unique_ptr<StagedPixels> stage(const PixelsView& pixels,
                                      const NetworkOptions& options) const {
    return stage_(pixels, options);
  }
  std::unique_ptr<StagedPixels> stage(const BytePixels& pixels,
                                      const NetworkOptions& options) const {
    return stage_bytes_(pixels, options);
  }
  // Decodes pictures on the GPU of a network; null in builds that cannot.
  DecodePictures picture_decoder() const { return decode_; }
  // Whether a network threw this because its device had no memory left: less at a time may do.
  bool is_out_of_memory(const std::exception& thrown) const { return is_out_of_memory_(thrown); }

 private:
  std::string torch_;
  std::vector<std::unique_ptr<Architecture>> architectures_;
  std::unique_ptr<StagedPixels> (*stage_)(const PixelsView&, const NetworkOptions&) = nullptr;
  std::unique_ptr<StagedPixels> (*stage_bytes_)(const BytePixels&, const NetworkOptions&) = nullptr;
  bool (*is_out_of_memory_)(const std::exception&) = nullptr;
  DecodePictures decode_ = nullptr;
};

}  // namespace snellen::models
