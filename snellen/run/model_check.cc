// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/model_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/models/check/network_check.h"

namespace snellen::run {
namespace {

using models::FixtureStage;
using models::FloatTensor;
using models::StageResult;

// Ids of every text as one row of numbers, so that the first that differs has an index.
StageResult check_tokens(const models::Fixture& fixture,
                         const std::vector<models::TokenIds>& tokens) {
  StageResult result;
  result.name = "tokens";
  result.is_equal = true;
  for (size_t i = 0; i < tokens.size() && result.is_equal; ++i) {
    const models::TokenIds& want = fixture.tokens().at(i);
    if (tokens[i] == want) continue;
    auto differing = std::mismatch(tokens[i].begin(), tokens[i].end(), want.begin(), want.end());
    result.is_equal = false;
    result.index = i;
    result.largest = 1;
    result.got = differing.first == tokens[i].end() ? -1 : *differing.first;
    result.want = differing.second == want.end() ? -1 : *differing.second;
    result.note = fmt::format("text {}: token {} of {}, expected {} of {}",
                              i,
                              differing.first - tokens[i].begin(),
                              tokens[i].size(),
                              differing.second - want.begin(),
                              want.size());
  }
  return result;
}

struct PixelStages {
  FloatTensor bytes;
  FloatTensor pixels;
};

PixelStages pixels_of(const media::ImageProcessor& processor,
                      const models::FixtureImage& image,
                      bool is_clip) {
  PixelStages stages;
  int64_t height = 0, width = 0;
  for (const std::filesystem::path& file : image.files) {
    media::Image bytes = processor.to_bytes(media::read_image(file).value()).value();
    height = bytes.height;
    width = bytes.width;
    for (size_t channel = 0; channel < 3; ++channel) {
      for (size_t i = channel; i < bytes.pixels.size(); i += 3)
        stages.bytes.values.push_back(bytes.pixels[i]);
    }
    size_t begin = stages.pixels.values.size();
    stages.pixels.values.resize(begin + bytes.pixels.size());
    processor.to_floats(bytes.pixels, std::span(stages.pixels.values).subspan(begin));
  }
  stages.pixels.shape = {3, height, width};
  if (is_clip)
    stages.pixels.shape.insert(stages.pixels.shape.begin(),
                               static_cast<int64_t>(image.files.size()));
  stages.bytes.shape = stages.pixels.shape;
  return stages;
}

const FixtureStage* stage_named(const models::Fixture& fixture, std::string_view name) {
  for (const FixtureStage& stage : fixture.stages()) {
    if (stage.name == name) return &stage;
  }
  return nullptr;
}

// Compares both pixel stages of every picture; gives the pixels.
std::vector<FloatTensor> check_pixels(const models::Fixture& fixture,
                                      const media::ImageProcessor& processor,
                                      bool is_strict,
                                      std::vector<StageResult>& results) {
  std::vector<FloatTensor> all;
  std::string kind = fixture.has_clips() ? "clip" : "image";
  for (size_t i = 0; i < fixture.images().size(); ++i) {
    PixelStages stages = pixels_of(processor, fixture.images()[i], fixture.has_clips());
    for (auto [suffix, tensor] :
         {std::pair{"u8", &stages.bytes}, std::pair{"pixels", &stages.pixels}}) {
      const FixtureStage* stage = stage_named(fixture, fmt::format("{}.*.{}", kind, suffix));
      std::string name = fmt::format("{}.{}.{}", kind, i, suffix);
      if (stage)
        results.push_back(compare_stage(*stage, name, *tensor, fixture.tensor(name), is_strict));
    }
    all.push_back(std::move(stages.pixels));
  }
  return all;
}

void append(std::vector<StageResult>& all, std::vector<StageResult> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

const StageResult* ModelCheck::first_difference() const {
  for (const std::vector<StageResult>* stages : {&from_files, &from_stored}) {
    for (const StageResult& stage : *stages) {
      if (!stage.is_equal) return &stage;
    }
  }
  return nullptr;
}

media::ImageProcessor processor_of(const models::Fixture& fixture, media::ProcessorConfig config) {
  return media::ImageProcessor(std::move(config),
                               fixture.pillow_major() >= 13 ? media::PassOrder::kPillow13
                                                            : media::PassOrder::kHorizontalFirst);
}

ModelCheck check_model(const models::Fixture& fixture,
                       const ModelCheckParts& parts,
                       bool is_strict) {
  ModelCheck check;
  models::NetworkCheckInputs inputs;
  text::EncodeOptions options{.max_length = static_cast<size_t>(fixture.max_text_length())};
  for (const std::string& text : fixture.texts()) {
    std::vector<text::TokenId> ids = parts.tokenizer.encode(text, options).ids;
    inputs.tokens.emplace_back(ids.begin(), ids.end());
  }
  check.from_files.push_back(check_tokens(fixture, inputs.tokens));
  if (parts.processor)
    inputs.pixels = check_pixels(fixture, *parts.processor, is_strict, check.from_files);
  if (!parts.network) return check;
  append(check.from_files, check_network(*parts.network, fixture, inputs, is_strict));
  check.from_stored = check_network(*parts.network, fixture, stored_inputs(fixture), is_strict);
  return check;
}

}  // namespace snellen::run
