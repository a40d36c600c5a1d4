// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/files.h"
#include "snellen/models/checkpoint/tensor_view.h"

namespace snellen::models {

// A tensor that will be written: everything about it but its bytes.
struct PlannedTensor {
  std::string name;
  ElementType type = ElementType::kF32;
  std::vector<int64_t> shape;
};

// Writes a safetensors file tensor by tensor, so that memory holds one of them; the file appears
// whole with commit(), or not at all. The bytes depend on the plan and the tensors alone. One
// thread at a time. Throws kInvalidInput for a plan with a name twice, an empty one or a bad shape,
// kIo when the disk is full.
class SafetensorsWriter {
 public:
  // Tensors lie in the file by element size, then name, as the reference library writes them;
  // `metadata` says {"format": "pt"} unless told otherwise, which transformers asks for.
  SafetensorsWriter(const std::filesystem::path& path,
                    std::vector<PlannedTensor> tensors,
                    const std::map<std::string, std::string>& metadata = {{"format", "pt"}});

  // The order in which write() wants their bytes.
  const std::vector<PlannedTensor>& tensors() const { return tensors_; }
  // All bytes of the next tensor, row-major and little-endian.
  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_;
  std::vector<PlannedTensor> tensors_;
  AtomicFile file_;
  size_t next_ = 0;
};

}  // namespace snellen::models
