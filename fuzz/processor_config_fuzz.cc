// SPDX-License-Identifier: Apache-2.0
// A processor configuration of any bytes: refused with an Error, or one whose geometry stays within
// its limits for pictures of any shape.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "snellen/media/processor/image_processor.h"

namespace {

using snellen::media::Geometry;
using snellen::media::ProcessorConfig;

void try_shapes(const ProcessorConfig& config) {
  const int shapes[][2] = {{1, 1}, {1, 5000}, {5000, 1}, {640, 480}, {32767, 2}};
  for (auto [width, height] : shapes) {
    snellen::Result<Geometry> planned = snellen::media::geometry_of(config, width, height);
    if (!planned) continue;
    const Geometry& geometry = *planned;
    const bool is_inside = geometry.window.width >= 1 && geometry.window.height >= 1 &&
                           geometry.window.left >= 0 && geometry.window.top >= 0 &&
                           geometry.left + geometry.window.width <= geometry.width &&
                           geometry.top + geometry.window.height <= geometry.height;
    if (!is_inside) std::abort();
  }
  snellen::media::ImageProcessor processor(config);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  try {
    try_shapes(snellen::media::parse_processor_config(json, "fuzz", "CLIP"));
  } catch (const snellen::Error&) {
  }
  try {
    try_shapes(snellen::media::parse_open_clip_config(json, "fuzz"));
  } catch (const snellen::Error&) {
  }
  return 0;
}
