// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/initial_values.h"

#include <cmath>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"
#include "snellen/training/learners/picture_positions.h"

namespace snellen::training {
namespace {

using models::ConfigView;
using Shape = std::vector<int64_t>;

constexpr double kUsual = 0.02;  // `initializer_range` of every family

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

double inverse_root(double x) {
  return 1 / std::sqrt(x);
}

// Layers of the tower that a weight belongs to.
double layers_of(const std::string& name, const ConfigView& config) {
  auto count = [&](const char* sub, const char* key, int64_t fallback) {
    return static_cast<double>(config.sub_with_twin(sub).layers(key, fallback));
  };
  if (name.starts_with("text_model.")) return count("text_config", "num_hidden_layers", 12);
  if (name.starts_with("mit.")) return count("vision_config", "mit_num_hidden_layers", 1);
  return count("vision_config", "num_hidden_layers", 12);
}

// CLIP and X-CLIP: modeling_clip.py and modeling_x_clip.py, _init_weights.
double clip_deviation(const std::string& name, const Shape& shape, const ConfigView& config) {
  double factor = config.number("initializer_factor", 1.0);
  auto in = static_cast<double>(shape.size() > 1 ? shape[1] : shape.empty() ? 1 : shape[0]);
  auto out = static_cast<double>(shape.empty() ? 1 : shape[0]);
  if (name.ends_with("class_embedding")) return inverse_root(in) * factor;
  if (name == "mit.position_embedding") return factor;
  if (contains(name, "embedding")) return kUsual * factor;
  if (name == "prompts_visual_projection") return inverse_root(out) * factor;
  if (name.ends_with("_projection.weight")) return inverse_root(in) * factor;
  if (name.starts_with("prompts_generator.") || contains(name, "message_fc")) return kUsual;
  double deep = inverse_root(2 * layers_of(name, config));
  if (contains(name, ".q_proj.") || contains(name, ".k_proj.") || contains(name, ".v_proj."))
    return inverse_root(in) * deep * factor;
  if (contains(name, ".out_proj.")) return inverse_root(in) * factor;
  if (contains(name, ".fc1.")) return inverse_root(2 * in) * factor;
  if (contains(name, ".fc2.")) return inverse_root(out) * deep * factor;
  return kUsual;
}

double blip_deviation(const std::string& name, const Shape&, const ConfigView& config) {
  if (name.ends_with("embeddings.class_embedding") ||
      name == "vision_model.embeddings.position_embedding")
    return config.sub("vision_config").number("initializer_range", 1e-10);
  return config.number("initializer_range", kUsual);
}

double gpt2_deviation(const std::string& name, const Shape&, const ConfigView& config) {
  double usual = config.number("initializer_range", kUsual);
  if (!contains(name, ".c_proj.")) return usual;
  return usual * inverse_root(2 * static_cast<double>(config.layers("n_layer", 12)));
}

using Deviation = double (*)(const std::string& name, const Shape& shape, const ConfigView& config);

Deviation deviation_of(const std::string& model_type) {
  if (model_type == "clip" || model_type == "xclip") return clip_deviation;
  if (model_type == "blip") return blip_deviation;
  if (model_type == "gpt2") return gpt2_deviation;
  throw Error{ErrorCode::kInvalidInput,
              "models of type '" + model_type + "' cannot be trained from scratch",
              "config.json",
              "clip, blip, xclip and gpt2 can"};
}

// The number that all elements have, for weights that are not drawn.
std::optional<double> constant_of(const std::string& name,
                                  const Shape& shape,
                                  const ConfigView& config) {
  if (name == "logit_scale") return config.number("logit_scale_init_value", 2.6592);
  if (name == "prompts_generator.alpha") return config.number("prompt_alpha", 0.1);
  if (name.ends_with(".bias")) return 0;
  bool is_norm = shape.size() == 1 && name.ends_with(".weight");
  return is_norm ? std::optional(1.0) : std::nullopt;
}

}  // namespace

InitialValue initial_values(const std::string& model_type,
                            const ConfigView& config,
                            uint64_t seed) {
  Deviation deviation = deviation_of(model_type);
  return [deviation, &config, seed](const std::string& name, const Shape& shape) {
    if (std::optional<double> constant = constant_of(name, shape, config))
      return at::full(shape, *constant, at::kFloat);
    at::Tensor value = at::empty(shape, at::kFloat);
    Rng rng = Rng(seed).fork("train-weight").fork(name);
    double std = deviation(name, shape, config);
    auto* numbers = value.data_ptr<float>();
    for (int64_t i = 0; i < value.numel(); ++i) numbers[i] = static_cast<float>(std * rng.gauss());
    if (contains(name, "vision_model.embeddings.position_embedding") && shape.size() >= 2) {
      const std::vector<float> table = picture_positions(shape[shape.size() - 2], shape.back());
      for (size_t i = 0; i < table.size(); ++i) numbers[i] += table[i];
    }
    return value;
  };
}

}  // namespace snellen::training
