// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/setup.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/models/checkpoint/config.h"
#include "snellen/training/data/file_sources.h"
#include "snellen/training/fresh/fresh_model.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kHeldOutWorldSeed = 900'000;
constexpr uint64_t kHeldOutScenes = 256;

void expect_no_model(const fs::path& output) {
  std::error_code ignored;
  if (!fs::exists(output / "model.safetensors", ignored)) return;
  throw Error{ErrorCode::kInvalidInput,
              "holds a trained model already",
              output.string(),
              "name another --output, or remove it"};
}

SceneOptions scene_options(const TrainingSettings& settings) {
  return {.seed = settings.world,
          .num_scenes = settings.scenes,
          .cache_bytes = static_cast<uint64_t>(settings.cache_gb * 1e9),
          .relation_percent = settings.relation_percent};
}

// The first scenes that are learnt from, as many as are held out.
SceneOptions first_scenes(const TrainingSettings& settings) {
  SceneOptions scenes = scene_options(settings);
  scenes.num_scenes = std::min(scenes.num_scenes, kHeldOutScenes);
  scenes.cache_bytes = 0;
  return scenes;
}

// Selective negatives of the eyechart, with plain captioned scenes mixed in where they are wanted.
std::unique_ptr<SampleSource> contrast_source(const TrainingSettings& settings,
                                              const media::ImageProcessor& processor) {
  SceneOptions scenes = scene_options(settings);
  scenes.cache_bytes /= settings.plain_scenes > 0 ? 2 : 1;
  std::unique_ptr<SampleSource> contrasts = scene_contrasts(scenes, processor);
  if (settings.plain_scenes == 0) return contrasts;
  scenes.num_scenes = settings.plain_scenes;
  return both_of(std::move(contrasts), scene_captions(scenes, processor));
}

LearnerOptions learner_options(const TrainingSettings& settings) {
  bool is_device =
      settings.device == "cpu" || settings.device == "cuda" || settings.device.starts_with("cuda:");
  if (!is_device)
    throw Error{ErrorCode::kUsage,
                "is '" + settings.device + "', expected cpu, cuda or cuda:N",
                "--device"};
  LearnerOptions options;
  options.device = settings.device;
  if (settings.dtype == "bf16") options.dtype = models::ElementKind::kBFloat16;
  options.seed = settings.seed;
  options.beta2 = settings.beta2;
  options.weight_decay = settings.weight_decay;
  options.max_gradient_norm = settings.clip_norm;
  options.ema_decay = settings.ema;
  options.chunk = settings.chunk;
  return options;
}

// The preprocessing of the folder, for samples and for the learner.
void open_processor(TrainingSetup& setup) {
  setup.processor =
      std::make_unique<media::ImageProcessor>(media::read_processor_config(setup.companions));
  setup.learner.mean = setup.processor->config().mean;
  setup.learner.std = setup.processor->config().std;
}

void open_samples(const TrainSettings& settings, TrainingSetup& setup) {
  const SceneOptions scenes = scene_options(settings), held_out = held_out_scenes();
  if (settings.arch == "gpt2") {
    setup.samples = world_texts(scenes);
    setup.held_out = world_texts(held_out);
    setup.learnt = world_texts(first_scenes(settings));
    return;
  }
  open_processor(setup);
  const media::ImageProcessor& processor = *setup.processor;
  const auto num_frames = static_cast<int>(setup.num_frames);
  if (!settings.captions.empty()) {
    setup.samples = coco_captions(
        settings.captions, {settings.images.begin(), settings.images.end()}, processor);
  } else if (settings.arch == "xclip") {
    setup.samples = clip_captions(scenes, processor, num_frames);
    setup.held_out = clip_captions(held_out, processor, num_frames);
    setup.learnt = clip_captions(first_scenes(settings), processor, num_frames);
  } else {
    setup.samples = settings.has_contrasts ? contrast_source(settings, processor)
                                           : scene_captions(scenes, processor);
    setup.held_out = scene_contrasts(held_out, processor);
    if (settings.has_contrasts) setup.learnt = scene_contrasts(first_scenes(settings), processor);
  }
}

// What has no picture side would fail over files that it does not need.
void expect_dual_encoder(const fs::path& model) {
  const std::string file = (model / "config.json").string();
  const nlohmann::json json = models::read_config(file);
  const std::string type = models::ConfigView(json, file).text("model_type", "");
  if (type == "clip" || type == "blip" || type == "xclip") return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("models of type '{}' cannot be fine-tuned", type),
              model.string(),
              "finetune takes a dual encoder, for example a CLIP folder; a new language model is "
              "trained with snellen train --arch gpt2"};
}

Trained trained_of(const std::string& name) {
  if (name == "V") return Trained::kVision;
  return name == "T" ? Trained::kText : Trained::kBoth;
}

}  // namespace

SceneOptions held_out_scenes() {
  return {.seed = kHeldOutWorldSeed, .num_scenes = kHeldOutScenes, .cache_bytes = 0};
}

fs::path first_folder(const TrainSettings& settings, dist::Group& group) {
  std::error_code ignored;
  if (fs::is_directory(settings.init, ignored)) return settings.init;
  const fs::path output = settings.output;
  if (group.rank() == 0) {
    expect_no_model(output);
    // An interrupted training left the very same files.
    bool is_begun =
        fs::exists(output / "config.json", ignored) && fs::exists(output / "checkpoints", ignored);
    if (!is_begun) {
      auto config = settings.init.empty()
                        ? small_config(settings.arch)
                        : formats::parse_ordered_json(read_text_file(settings.init));
      if (!config.is_object())
        throw Error{ErrorCode::kInvalidInput, "is not a JSON object", settings.init};
      write_fresh_model(settings.arch, std::move(config), output);
    }
  }
  group.barrier();
  return output;
}

TrainingSetup train_setup(const TrainSettings& settings, const fs::path& folder) {
  TrainingSetup setup;
  setup.companions = folder;
  setup.learner = learner_options(settings);
  setup.learner.contrast_weight = settings.contrast_weight;
  const std::string file = (folder / "config.json").string();
  nlohmann::json json = models::read_config(file);
  models::ConfigView config(json, file);
  if (config.text("model_type", "") != settings.arch)
    config.fail("model_type", fmt::format("--arch is {}", settings.arch));
  if (settings.arch == "xclip")
    setup.num_frames = static_cast<uint32_t>(
        config.sub_with_twin("vision_config").positive("num_frames", 8, /*max=*/1024));
  open_samples(settings, setup);
  setup.can_ask_probes = setup.processor != nullptr && settings.arch != "xclip";
  setup.asks_held_out_world = setup.processor != nullptr && settings.captions.empty();
  // A sample with contrasts is two.
  setup.samples_per_batch = settings.batch_size / (settings.has_contrasts ? 2 : 1);
  return setup;
}

TrainingSetup finetune_setup(const FinetuneSettings& settings) {
  expect_no_model(settings.output);
  expect_dual_encoder(settings.model);
  TrainingSetup setup;
  setup.companions = settings.model;
  setup.learner = learner_options(settings);
  setup.learner.trained = trained_of(settings.trained);
  setup.learner.margin = settings.margin;
  setup.learner.contrast_weight = settings.itm_weight;
  open_processor(setup);
  setup.can_ask_probes = true;
  setup.asks_held_out_world = settings.relcomp.empty();
  setup.samples_per_batch = settings.batch_size / 2;  // one of each kind
  if (settings.relcomp.empty()) {
    setup.samples = contrast_source(settings, *setup.processor);
    setup.held_out = scene_contrasts(held_out_scenes(), *setup.processor);
    setup.learnt = scene_contrasts(first_scenes(settings), *setup.processor);
    return setup;
  }
  const Folders folders(settings.images.begin(), settings.images.end());
  setup.samples = relcomp_samples(settings.relcomp, folders, *setup.processor);
  if (!settings.relcomp_val.empty())
    setup.held_out = relcomp_samples(settings.relcomp_val, folders, *setup.processor);
  return setup;
}

Schedule schedule_of(const TrainingSettings& settings, uint64_t batches_per_epoch) {
  auto batches = static_cast<double>(batches_per_epoch) * settings.epochs;
  Schedule schedule;
  schedule.peak = settings.lr;
  schedule.num_steps =
      settings.steps
          ? *settings.steps
          : std::max<uint64_t>(
                1, static_cast<uint64_t>(batches / static_cast<double>(settings.accumulate)));
  schedule.warmup_steps =
      static_cast<uint64_t>(std::lround(static_cast<double>(schedule.num_steps) * settings.warmup));
  return schedule;
}

}  // namespace snellen::training
