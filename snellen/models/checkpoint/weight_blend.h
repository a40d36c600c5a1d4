// SPDX-License-Identifier: Apache-2.0
// Weights between those of two checkpoints (docs/spec/probe.md 7.4), tensor by tensor and without
// torch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "snellen/models/checkpoint/checkpoint.h"

namespace snellen::models {

// (1 - alpha) * original + alpha * tuned in float32, element by element; the spans are of one size.
std::vector<float> blended(std::span<const float> original,
                           std::span<const float> tuned,
                           double alpha);

// The bytes of a blended tensor, in the element type of the original, to which the other is rounded
// where it has another. A copy, bit for bit, where alpha is 0 or 1, and where both tensors have the
// same bits, whatever alpha is. The tensors have one shape; doubles are blended in double. Throws
// kInvalidInput for whole numbers that differ, naming `name`.
std::string blended_bytes(const StoredTensorView& original,
                          const StoredTensorView& tuned,
                          double alpha,
                          const std::string& name);

struct BlendReport {
  uint64_t num_tensors = 0;
  uint64_t num_equal = 0;  // the same bits in both, in the original's type
  uint64_t num_bytes = 0;
};

// Two checkpoints that can be blended: the same tensors by name and shape, and by type but that
// float32, float16 and bfloat16 may be mixed.
class WeightBlend {
 public:
  // Throws what Checkpoint throws, and kInvalidInput for a tensor that is missing, left over, or of
  // another type or shape, naming it and how many there are.
  WeightBlend(const std::filesystem::path& original, const std::filesystem::path& tuned);

  // Writes a folder of the original's layout with its configuration, tokenizer and preprocessing,
  // and patch.json: alpha and the hashes of both. It appears whole; memory holds one tensor.
  // `observe` is told how many tensors are done. alpha is in [0, 1].
  BlendReport write(double alpha,
                    const std::filesystem::path& output,
                    const std::function<void(uint64_t done, uint64_t total)>& observe) const;

 private:
  void write_origin(double alpha, const std::filesystem::path& folder) const;

  Checkpoint original_;
  Checkpoint tuned_;
  std::vector<Checkpoint::FileHash> original_hashes_;
  std::vector<Checkpoint::FileHash> tuned_hashes_;
};

}  // namespace snellen::models
