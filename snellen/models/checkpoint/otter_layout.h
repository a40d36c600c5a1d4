// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>

namespace snellen::models {

struct OtterSources {
  std::filesystem::path checkpoint;  // its authors' file, as torch.save wrote it
  std::filesystem::path text_model;  // folder of the text encoder: config.json and its tokenizer
  double temperature = 60;           // where the file does not hold one
};

struct OtterFolder {
  size_t num_tensors = 0;
  size_t num_left_out = 0;  // of the file: optimiser states, counters
};

// Makes a model folder of OTTER's published layout (docs/spec/models.md 5): `state_dict` with
// `image_encoder.model.*`, `text_encoder.model.*` and `contrastive_loss.T`, with or without a
// leading `module.`. Sizes of the image encoder are read off its shapes. The folder appears whole.
// Throws kInvalidInput for a file that has another layout, or does not fit the text encoder.
OtterFolder convert_otter(const OtterSources& sources, const std::filesystem::path& out);

}  // namespace snellen::models
