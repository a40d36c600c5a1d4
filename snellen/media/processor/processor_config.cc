// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/processor/processor_config.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/files.h"
#include "snellen/media/processor/config_keys.h"

namespace snellen::media {
namespace {

constexpr std::array<double, 3> kClipMean = {0.48145466, 0.4578275, 0.40821073};
constexpr std::array<double, 3> kClipStd = {0.26862954, 0.26130258, 0.27577711};
constexpr std::array<double, 3> kHalves = {0.5, 0.5, 0.5};
constexpr size_t kMaxConfigBytes = size_t{1} << 20;

// What a processor's class assumes for the keys its file leaves out.
struct Defaults {
  std::string_view kind;
  bool is_int_square;  // what a bare number means in `size`
  int size;            // shortest edge, or both sides when is_size_square
  bool is_size_square;
  int crop;  // 0: no crop unless the file brings one
  bool is_cropped;
  Filter filter;
  std::array<double, 3> mean;
  std::array<double, 3> std;
};

constexpr Defaults kDefaults[] = {
    {"CLIP", false, 224, false, 224, true, Filter::kBicubic, kClipMean, kClipStd},
    {"Siglip", false, 224, true, 0, false, Filter::kBicubic, kHalves, kHalves},
    {"Blip", true, 384, true, 0, false, Filter::kBicubic, kClipMean, kClipStd},
    {"Flava", true, 224, true, 224, true, Filter::kBicubic, kClipMean, kClipStd},
    {"EfficientNet", true, 346, true, 289, false, Filter::kBicubic, kHalves, kHalves},
    {"Vilt", false, 384, false, 0, false, Filter::kBicubic, kHalves, kHalves},
    {"BridgeTower", false, 288, false, 288, true, Filter::kBicubic, kClipMean, kClipStd},
    {"VideoMAE", false, 224, false, 224, true, Filter::kBilinear, kHalves, kHalves},
};

// "CLIPImageProcessorFast", "CLIPFeatureExtractor" -> "CLIP".
std::string_view kind_of(std::string_view type) {
  for (std::string_view suffix :
       {"ImageProcessorFast", "ImageProcessorPil", "ImageProcessor", "FeatureExtractor"}) {
    if (type.ends_with(suffix)) return type.substr(0, type.size() - suffix.size());
  }
  return type;
}

const Defaults& defaults_of(const ConfigKeys& keys, std::string_view fallback_kind) {
  const std::string type =
      keys.text("image_processor_type", keys.text("feature_extractor_type", fallback_kind));
  if (type.empty()) keys.refuse("image_processor_type", "is missing");
  const std::string_view kind = kind_of(type);
  std::vector<std::string_view> known;
  for (const Defaults& defaults : kDefaults) {
    if (defaults.kind == kind) return defaults;
    known.push_back(defaults.kind);
  }
  keys.refuse("image_processor_type",
              fmt::format("is '{}'; supported are {}", type, fmt::join(known, ", ")));
}

Filter filter_in(const ConfigKeys& keys, Filter otherwise) {
  return static_cast<Filter>(keys.whole("resample", static_cast<int>(otherwise), 0, 5));
}

void read_size(const ConfigKeys& keys, const Defaults& defaults, ProcessorConfig& config) {
  SizeKeys size = keys.size("size", defaults.is_int_square).value_or(SizeKeys{});
  if (!keys.has("size")) {
    if (defaults.is_size_square) {
      size.height = size.width = defaults.size;
    } else {
      size.shortest_edge = defaults.size;
    }
  }
  const bool is_multiple = config.kind == "Vilt" || config.kind == "BridgeTower";
  if (is_multiple && !size.shortest_edge) keys.refuse("size", "needs shortest_edge");
  config.shortest_edge = size.shortest_edge.value_or(0);
  config.longest_edge = size.longest_edge;
  config.height = size.height.value_or(0);
  config.width = size.width.value_or(0);
  if (!keys.flag("do_resize", true)) {
    config.resize = ResizeRule::kNone;
  } else if (is_multiple) {
    config.resize = ResizeRule::kMultiple;
    config.size_divisor = keys.whole("size_divisor", 32, 1, 4096);
  } else {
    config.resize = size.shortest_edge ? ResizeRule::kShortestEdge : ResizeRule::kExact;
  }
}

void read_crop(const ConfigKeys& keys, const Defaults& defaults, ProcessorConfig& config) {
  config.is_cropped = config.kind != "Vilt" && keys.flag("do_center_crop", defaults.is_cropped);
  if (!config.is_cropped) return;
  std::optional<SizeKeys> crop = keys.size("crop_size", /*is_square=*/true);
  if (config.kind == "BridgeTower") {
    // Old files have no crop_size and mean `size`.
    int side = config.shortest_edge;
    if (crop) side = crop->shortest_edge ? *crop->shortest_edge : crop->height.value_or(0);
    if (crop && crop->has_both_sides() && crop->height != crop->width)
      keys.refuse("crop_size", "must be a square");
    config.crop_height = config.crop_width = side;
    return;
  }
  if (!crop && defaults.crop == 0) keys.refuse("crop_size", "is missing");
  if (crop && !crop->has_both_sides()) keys.refuse("crop_size", "needs height and width");
  config.crop_height = crop ? *crop->height : defaults.crop;
  config.crop_width = crop ? *crop->width : defaults.crop;
}

// Pixels are floats: a divisor that is zero as one, or nearly, makes them infinite.
void check_divisors(const ConfigKeys& keys, const char* name, const std::array<double, 3>& std) {
  for (double one : std) {
    if (!std::isfinite(1.0F / static_cast<float>(one)))
      keys.refuse(name, "holds a zero, or a number too small to divide by");
  }
}

void read_numbers(const ConfigKeys& keys, const Defaults& defaults, ProcessorConfig& config) {
  config.is_rescaled = keys.flag("do_rescale", true);
  config.rescale_factor = keys.number("rescale_factor", 1.0 / 255.0);
  config.is_normalized = keys.flag("do_normalize", true);
  config.mean = keys.channels("image_mean", defaults.mean);
  config.std = keys.channels("image_std", defaults.std);
  if (config.kind == "EfficientNet") {
    config.is_offset = keys.flag("rescale_offset", false);
    config.is_divided_again = keys.flag("include_top", true);
  }
  const bool is_divided = config.is_normalized || config.is_divided_again;
  if (is_divided) check_divisors(keys, "image_std", config.std);
  config.is_padded = keys.flag("do_pad", config.kind == "Vilt" || config.kind == "BridgeTower");
}

ProcessorConfig config_of(const ConfigKeys& keys, std::string_view fallback_kind) {
  const Defaults& defaults = defaults_of(keys, fallback_kind);
  ProcessorConfig config;
  config.kind = defaults.kind;
  config.filter = filter_in(keys, defaults.filter);
  read_size(keys, defaults, config);
  read_crop(keys, defaults, config);
  read_numbers(keys, defaults, config);
  return config;
}

}  // namespace

ProcessorConfig parse_processor_config(std::string_view json,
                                       std::string_view where,
                                       std::string_view fallback_kind) {
  ConfigKeys keys(json, where);
  if (keys.has("image_processor")) return config_of(keys.object("image_processor"), fallback_kind);
  return config_of(keys, fallback_kind);
}

ProcessorConfig parse_open_clip_config(std::string_view json, std::string_view where) {
  ConfigKeys keys(json, where);
  ConfigKeys picture = keys.object("preprocess_cfg");
  std::optional<SizeKeys> size =
      keys.object("model_cfg").object("vision_cfg").size("image_size", /*is_square=*/true);
  if (size && !size->has_both_sides())
    keys.refuse("image_size", "needs a number or [height, width]");
  ProcessorConfig config;
  config.kind = "open_clip";
  config.height = size ? *size->height : 224;
  config.width = size ? *size->width : 224;
  config.crop_height = config.height;
  config.crop_width = config.width;
  config.crop_rule = CropRule::kTorchvision;
  config.mean = picture.channels("mean", kClipMean);
  config.std = picture.channels("std", kClipStd);
  check_divisors(picture, "std", config.std);
  // "random" is a training-time choice; open_clip evaluates it with bicubic.
  const std::string filter = picture.text("interpolation", "bicubic");
  if (filter != "bicubic" && filter != "bilinear" && filter != "random")
    picture.refuse("interpolation", fmt::format("is '{}': bicubic and bilinear are known", filter));
  config.filter = filter == "bilinear" ? Filter::kBilinear : Filter::kBicubic;
  const std::string mode = picture.text("resize_mode", "shortest");
  if (mode == "squash") {
    config.resize = ResizeRule::kExact;
    return config;
  }
  config.is_cropped = true;
  if (mode == "longest") {
    config.resize = ResizeRule::kFitInside;
    if (picture.whole("fill_color", 0, 0, 255) != 0)
      picture.refuse("fill_color", "is not 0, the only one supported");
  } else if (mode == "shortest") {
    if (config.height != config.width)
      keys.refuse("image_size", "must be a square with resize_mode shortest");
    config.resize = ResizeRule::kShortestEdge;
    config.shortest_edge = config.height;
  } else {
    picture.refuse("resize_mode",
                   fmt::format("is '{}': shortest, longest and squash are known", mode));
  }
  return config;
}

ProcessorConfig read_open_clip_processor_config(const std::filesystem::path& folder,
                                                int64_t image_size,
                                                std::vector<std::filesystem::path>* opened) {
  const std::filesystem::path path = folder / "open_clip_config.json";
  if (std::filesystem::exists(path)) {
    if (opened) opened->push_back(path);
    return parse_open_clip_config(read_text_file(path, kMaxConfigBytes), path.string());
  }
  return parse_open_clip_config(
      fmt::format(
          R"({{"model_cfg": {{"vision_cfg": {{"image_size": {}}}}}, "preprocess_cfg": {{}}}})",
          image_size),
      folder.string());
}

ProcessorConfig read_processor_config(const std::filesystem::path& folder,
                                      std::string_view fallback_kind,
                                      std::vector<std::filesystem::path>* opened) {
  auto has = [&](const std::filesystem::path& path) {
    const bool is_there = std::filesystem::exists(path);
    if (is_there && opened) opened->push_back(path);
    return is_there;
  };
  for (const char* name : {"preprocessor_config.json", "processor_config.json"}) {
    const std::filesystem::path path = folder / name;
    if (has(path))
      return parse_processor_config(
          read_text_file(path, kMaxConfigBytes), path.string(), fallback_kind);
  }
  const std::filesystem::path open_clip = folder / "open_clip_config.json";
  if (has(open_clip))
    return parse_open_clip_config(read_text_file(open_clip, kMaxConfigBytes), open_clip.string());
  throw Error{ErrorCode::kNotFound,
              "no preprocessor_config.json, processor_config.json or open_clip_config.json",
              folder.string(),
              "name a folder as published on Hugging Face"};
}

}  // namespace snellen::media
