// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "snellen/media/processor/geometry.h"
#include "snellen/media/resample/resize.h"
#include "tests/golden_runner/probe_resize.h"

namespace snellen::golden {
namespace {

using media::SimdLevel;

// The vectors hold one channel; here it is all three.
media::Image picture_of(const Json& rows) {
  const int height = static_cast<int>(rows.size());
  media::Image image = media::Image::blank(static_cast<int>(rows[0].size()), height);
  uint8_t* out = image.pixels.data();
  for (const Json& row : rows) {
    for (const Json& value : row) {
      for (int channel = 0; channel < 3; ++channel) *out++ = value.get<uint8_t>();
    }
  }
  return image;
}

void check_pixels(const Json& one, Tally& tally) {
  for (auto [name, filter] : {std::pair{"bilinear", media::Filter::kBilinear},
                              std::pair{"bicubic", media::Filter::kBicubic}}) {
    for (SimdLevel level : {SimdLevel::kPlain, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
      if (!media::is_supported(level)) continue;
      media::ResizeTarget target;
      target.width = one["out_w"];
      target.height = one["out_h"];
      target.filter = filter;
      target.order = media::PassOrder::kHorizontalFirst;  // the vectors are Pillow 9.4's
      tally.expect(media::resize(picture_of(one["pixels"]), target, level) == picture_of(one[name]),
                   fmt::format("{} at level {}", name, static_cast<int>(level)));
    }
  }
}

void check_clip(const Json& one, Tally& tally) {
  media::ProcessorConfig config;
  config.resize = media::ResizeRule::kShortestEdge;
  config.shortest_edge = config.crop_height = config.crop_width = one["n"];
  config.is_cropped = true;
  config.crop_rule = media::CropRule::kTorchvision;
  const media::Geometry got = media::geometry_of(config, one["w"], one["h"]).value();
  tally.same(Json{got.resized_width, got.resized_height}, one["resized"], 0, "resized");
  tally.same(got.window.left, one["crop_left"], 0, "crop_left");
  tally.same(got.window.top, one["crop_top"], 0, "crop_top");
}

void check_vilt(const Json& one, Tally& tally) {
  media::ProcessorConfig config;
  config.resize = media::ResizeRule::kMultiple;
  config.shortest_edge = one["shortest"];
  config.size_divisor = one.value("divisor", 32);
  const media::Geometry got = media::geometry_of(config, one["w"], one["h"]).value();
  tally.same(Json{got.resized_width, got.resized_height}, one["resized"], 0, "resized");
}

}  // namespace

void check_resize(const Context& context, Tally& tally) {
  const Json json = context.json();
  for (const Json& one : json["cases"]) {
    tally.start(fmt::format("{}x{} to {}x{}",
                            one["w"].get<int>(),
                            one["h"].get<int>(),
                            one["out_w"].get<int>(),
                            one["out_h"].get<int>()));
    check_pixels(one, tally);
  }
  for (const Json& one : json["clip_geometry"]) {
    tally.start(one.dump());
    check_clip(one, tally);
  }
  for (const Json& one : json["vilt_geometry"]) {
    tally.start(one.dump());
    check_vilt(one, tally);
  }
}

}  // namespace snellen::golden
