// SPDX-License-Identifier: Apache-2.0
// How a published model folder wants its pictures (docs/spec/models.md 2.1):
// preprocessor_config.json, or processor_config.json with the same keys under "image_processor", or
// open_clip_config.json.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/media/resample/filter.h"

namespace snellen::media {

enum class ResizeRule {
  kNone,
  kExact,         // to height x width, aspect not kept
  kShortestEdge,  // short side to shortest_edge, at most longest_edge when there is one
  kMultiple,      // ViLT: short side to shortest_edge, long side capped, both floored to a multiple
  kFitInside,     // open_clip "longest": the whole picture inside height x width
};

// Where a centre crop lies when the margin is odd, and on which side a small picture is padded.
enum class CropRule {
  kHuggingFace,  // floor((H - n) / 2); padding's odd row above
  kTorchvision,  // round-half-even((H - n) / 2); padding's odd row below
};

struct ProcessorConfig {
  std::string kind;  // "CLIP", "Siglip", ..., "open_clip"

  ResizeRule resize = ResizeRule::kNone;
  int height = 0;
  int width = 0;
  int shortest_edge = 0;
  std::optional<int> longest_edge;
  int size_divisor = 1;
  Filter filter = Filter::kBicubic;

  bool is_cropped = false;
  int crop_height = 0;
  int crop_width = 0;
  CropRule crop_rule = CropRule::kHuggingFace;

  bool is_rescaled = true;
  double rescale_factor = 1.0 / 255.0;
  bool is_offset = false;  // minus 1 after rescaling
  bool is_normalized = true;
  std::array<double, 3> mean{};
  std::array<double, 3> std{1, 1, 1};
  bool is_divided_again = false;  // EfficientNet's include_top: by std once more
  bool is_padded = false;         // batches are padded to their largest picture, right and below
};

// Each throws kInvalidInput naming `where` and the key. `fallback_kind` stands in for a type that
// the file does not name.
ProcessorConfig parse_processor_config(std::string_view json,
                                       std::string_view where,
                                       std::string_view fallback_kind = {});
ProcessorConfig parse_open_clip_config(std::string_view json, std::string_view where);

// What open_clip does with pictures: as open_clip_config.json of the folder says, without one what
// OpenAI's own weights want, for pictures of this side.
ProcessorConfig read_open_clip_processor_config(
    const std::filesystem::path& folder,
    int64_t image_size,
    std::vector<std::filesystem::path>* opened = nullptr);

// The first of preprocessor_config.json, processor_config.json and open_clip_config.json in a model
// folder; kNotFound when it has none.
// `opened` gets the file that was read.
ProcessorConfig read_processor_config(const std::filesystem::path& folder,
                                      std::string_view fallback_kind = {},
                                      std::vector<std::filesystem::path>* opened = nullptr);

}  // namespace snellen::media
