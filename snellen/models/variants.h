// SPDX-License-Identifier: Apache-2.0
// Published checkpoints that the architectures read. They are data: configs/models/*.json, compiled
// in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::models {

struct Variant {
  struct ImageSide {
    int64_t size = 0;    // pixels of a side
    int64_t patch = 0;   // 0 for convolutions
    int64_t width = 0;   // of a layer's states
    int64_t layers = 0;  // or blocks of convolutions
    int64_t frames = 0;  // of a clip; 0 for pictures
  };
  struct TextSide {
    int64_t tokens = 0;  // most of one text
    int64_t width = 0;
    int64_t layers = 0;
  };

  std::string name;                // of its file: "clip_vit_b32"
  std::string checkpoint;          // as published: "openai/clip-vit-base-patch32"
  std::string family;              // the architecture that reads it
  std::vector<std::string> heads;  // as --score takes them, the default first
  int64_t parameters_m = 0;        // millions
  std::optional<ImageSide> image;
  std::optional<TextSide> text;
  std::string paper;
  std::string status;  // how far it was compared with the reference

  // "151 M; image 224, 12 x 768, patch 32; text 77, 12 x 512".
  std::string sizes() const;
};

// Throws kInvalidInput naming the key.
Variant parse_variant(std::string_view name, std::string_view json);

// All of configs/models, by name.
std::vector<Variant> published_variants();

}  // namespace snellen::models
