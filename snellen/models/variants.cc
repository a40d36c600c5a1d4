// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/variants.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/formats/json.h"
#include "snellen/models/checkpoint/config.h"
#include "snellen/models/variant_files.h"

namespace snellen::models {

std::string Variant::sizes() const {
  std::string text_of = fmt::format("{} M", parameters_m);
  if (image) {
    text_of += fmt::format("; image {}, {} x {}", image->size, image->layers, image->width);
    if (image->patch > 0) text_of += fmt::format(", patch {}", image->patch);
    if (image->frames > 0) text_of += fmt::format(", {} frames", image->frames);
  }
  if (text) text_of += fmt::format("; text {}, {} x {}", text->tokens, text->layers, text->width);
  return text_of;
}

Variant parse_variant(std::string_view name, std::string_view json) {
  nlohmann::json parsed = formats::parse_json(json);
  if (!parsed.is_object()) parsed = nlohmann::json::object();
  ConfigView config(parsed, fmt::format("configs/models/{}.json", name));
  Variant variant{.name = std::string(name),
                  .checkpoint = config.text("checkpoint"),
                  .family = config.text("family"),
                  .heads = config.texts("heads"),
                  .parameters_m = config.positive("parameters_m"),
                  .image = {},
                  .text = {},
                  .paper = config.text("paper"),
                  .status = config.text("status")};
  if (config.is_set("image")) {
    ConfigView image = config.sub("image");
    variant.image =
        Variant::ImageSide{.size = image.positive("size"),
                           .patch = image.is_set("patch") ? image.positive("patch") : 0,
                           .width = image.positive("width"),
                           .layers = image.layers("layers"),
                           .frames = image.is_set("frames") ? image.positive("frames") : 0};
  }
  if (config.is_set("text")) {
    ConfigView text = config.sub("text");
    variant.text = Variant::TextSide{.tokens = text.positive("tokens"),
                                     .width = text.positive("width"),
                                     .layers = text.layers("layers")};
  }
  return variant;
}

std::vector<Variant> published_variants() {
  std::vector<Variant> variants;
  for (const VariantFile& file : variant_files())
    variants.push_back(parse_variant(file.name, file.json));
  return variants;
}

}  // namespace snellen::models
