// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/otter_layout.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/models/checkpoint/checkpoint_draft.h"
#include "snellen/models/checkpoint/config.h"
#include "snellen/models/checkpoint/safetensors_writer.h"
#include "snellen/models/checkpoint/torch_archive.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Tensors = std::map<std::string, StoredTensorView>;

constexpr const char* kImage = "image_encoder.model.";
constexpr const char* kText = "text_encoder.model.";
constexpr const char* kTemperature = "contrastive_loss.T";
constexpr int64_t kUsualWidth = 64;

// timm's names of the blocks of its ResNets.
struct KnownNet {
  const char* name;
  std::array<int64_t, 4> layers;
};
constexpr auto kKnownNets = std::to_array<KnownNet>(
    {{"resnet50", {3, 4, 6, 3}}, {"resnet101", {3, 4, 23, 3}}, {"resnet152", {3, 8, 36, 3}}});

// Images as OTTER's code prepares them: shortest side 256 bicubic, centre crop 224, CLIP's numbers.
constexpr const char* kPreprocessing = R"({
 "image_processor_type": "CLIPImageProcessor",
 "do_convert_rgb": true,
 "do_resize": true,
 "size": {"shortest_edge": 256},
 "resample": 3,
 "do_center_crop": true,
 "crop_size": {"height": 224, "width": 224},
 "do_rescale": true,
 "rescale_factor": 0.00392156862745098,
 "do_normalize": true,
 "image_mean": [0.48145466, 0.4578275, 0.40821073],
 "image_std": [0.26862954, 0.26130258, 0.27577711]
}
)";

[[noreturn]] void refuse(const OtterSources& sources, std::string what) {
  throw Error{ErrorCode::kInvalidInput,
              std::move(what),
              sources.checkpoint.string(),
              "give the file that OTTER's authors link to, with image_encoder.model.* and "
              "text_encoder.model.* below state_dict"};
}

bool is_float(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF16 || type == ElementType::kBF16 ||
         type == ElementType::kF64;
}

Tensors read_weights(const MappedFile& file, size_t& num_left_out) {
  Tensors weights;
  for (NamedTensor& one : read_torch_archive(file.bytes(), file.path().string())) {
    std::string name = std::move(one.name);
    if (name.starts_with("module.")) name.erase(0, 7);
    const bool is_ours =
        name.starts_with(kImage) || name.starts_with(kText) || name == kTemperature;
    if (is_ours && is_float(one.tensor.type)) {
      weights.emplace(std::move(name), std::move(one.tensor));
    } else {
      ++num_left_out;
    }
  }
  return weights;
}

const std::vector<int64_t>& shape_of(const OtterSources& sources,
                                     const Tensors& weights,
                                     const std::string& name,
                                     size_t rank) {
  const auto found = weights.find(name);
  if (found == weights.end()) refuse(sources, fmt::format("holds no weight {}", name));
  if (found->second.shape.size() != rank)
    refuse(sources,
           fmt::format("{} has shape {}, expected {} dimensions",
                       name,
                       shape_text(found->second.shape),
                       rank));
  return found->second.shape;
}

// The blocks of each stage, counted by their first convolution.
std::array<int64_t, 4> stages_of(const Tensors& weights) {
  std::array<int64_t, 4> stages = {};
  for (size_t stage = 0; stage < stages.size(); ++stage)
    while (weights.contains(
        fmt::format("{}layer{}.{}.conv1.weight", kImage, stage + 1, stages[stage])))
      ++stages[stage];
  return stages;
}

Json config_of(const OtterSources& sources, const Tensors& weights) {
  const int64_t width = shape_of(sources, weights, std::string(kImage) + "conv1.weight", 4)[0];
  const int64_t embedding = shape_of(sources, weights, std::string(kImage) + "fc.weight", 2)[0];
  const int64_t hidden =
      shape_of(sources, weights, std::string(kText) + "embeddings.word_embeddings.weight", 2)[1];
  if (hidden != embedding)
    refuse(sources,
           fmt::format("image vectors have {} numbers, text vectors {}", embedding, hidden));
  const fs::path text_config = sources.text_model / "config.json";
  const nlohmann::json text = read_config(text_config);
  const int64_t text_hidden = ConfigView(text, text_config.string()).positive("hidden_size", 768);
  if (text_hidden != hidden)
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("has a hidden_size of {}, the checkpoint of {}", text_hidden, hidden),
                text_config.string(),
                "name the folder of the text encoder that was trained (DeCLUTR-sci-base)"};
  const std::array<int64_t, 4> stages = stages_of(weights);
  if (std::find(stages.begin(), stages.end(), 0) != stages.end())
    refuse(sources, "its image encoder has no four stages of blocks");
  Json config = {{"model_type", "otter"}, {"image_arch", "resnet50"}};
  const auto known = std::find_if(kKnownNets.begin(), kKnownNets.end(), [&](const KnownNet& one) {
    return one.layers == stages;
  });
  if (known != kKnownNets.end() && width == kUsualWidth) {
    config["image_arch"] = known->name;
  } else {
    config["image_layers"] = stages;
    config["image_width"] = width;
  }
  config["embedding_dim"] = embedding;
  config["max_token_length"] = 60;
  if (!weights.contains(kTemperature)) config["temperature"] = sources.temperature;
  config["text_config"] = Json::parse(text.dump());
  return config;
}

void write_weights(const OtterSources& sources, const Tensors& weights, const fs::path& path) {
  std::vector<PlannedTensor> plan;
  for (const auto& [name, tensor] : weights) {
    if (!tensor.is_contiguous()) refuse(sources, fmt::format("{} has gaps or is turned", name));
    plan.push_back({name, tensor.type, tensor.shape});
  }
  SafetensorsWriter writer(path, std::move(plan));
  for (const PlannedTensor& one : writer.tensors()) writer.write(weights.at(one.name).bytes);
  writer.commit();
}

}  // namespace

OtterFolder convert_otter(const OtterSources& sources, const fs::path& out) {
  const MappedFile file(sources.checkpoint);
  OtterFolder made;
  const Tensors weights = read_weights(file, made.num_left_out);
  const Json config = config_of(sources, weights);
  CheckpointDraft draft(out);
  copy_companions(sources.text_model, draft.folder());
  write_text_file(draft.folder() / "config.json", config.dump(1) + "\n");
  write_text_file(draft.folder() / "preprocessor_config.json", kPreprocessing);
  write_weights(sources, weights, draft.folder() / "model.safetensors");
  draft.commit();
  made.num_tensors = weights.size();
  return made;
}

}  // namespace snellen::models
