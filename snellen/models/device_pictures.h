// SPDX-License-Identifier: Apache-2.0
// Pictures that are decoded and cut where the network computes: a GPU does in a moment what takes a
// core a few milliseconds, and its bytes are those of the CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "snellen/media/codecs/jpeg_scan.h"
#include "snellen/media/processor/image_processor.h"

namespace snellen::models {

struct NetworkOptions;

// Bytes [count, height, width, 3] on a device.
class DevicePictures {
 public:
  virtual ~DevicePictures() = default;
  // Copied back, for those who compare.
  virtual std::vector<uint8_t> bytes() const = 0;
};

struct CodedPicture {
  std::string_view file;  // its bytes
  const media::jpeg::Scan* scan = nullptr;
  const media::Cut* cut = nullptr;  // one for all pictures of a size
};

// The bytes [height, width, 3] of a picture that the device left to the CPU; empty where there are
// none, which leaves it black.
using DecodeHere = std::function<std::vector<uint8_t>(size_t picture)>;

// All cuts have one size. Throws out of memory as networks do.
using DecodePictures = std::unique_ptr<DevicePictures> (*)(std::span<const CodedPicture> pictures,
                                                           const DecodeHere& decode_here,
                                                           const NetworkOptions& options);

// The same for a network that was loaded.
using DecodeThere = std::function<std::unique_ptr<DevicePictures>(
    std::span<const CodedPicture> pictures, const DecodeHere& decode_here)>;

}  // namespace snellen::models
