// SPDX-License-Identifier: Apache-2.0
// `snellen train`: a model from nothing, on the eyechart or on captioned pictures.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/media/picture_files.h"
#include "apps/cli/train/training_run.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/models/checkpoint/config.h"
#include "snellen/training/data/file_sources.h"
#include "snellen/training/fresh/fresh_model.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

// The folder that the training begins with: --init where it is one, else a new one at --output.
fs::path beginning(const training::TrainSettings& flags) {
  std::error_code ignored;
  if (fs::is_directory(flags.init, ignored)) return flags.init;
  fs::path output = flags.output;
  make_folder(output);
  if (fs::exists(output / "model.safetensors", ignored)) {
    throw Error{ErrorCode::kInvalidInput,
                "holds a trained model already",
                output.string(),
                "name another --output, or remove it"};
  }
  // An interrupted training left the very same files.
  if (fs::exists(output / "config.json", ignored) && fs::exists(output / "checkpoints", ignored))
    return output;
  nlohmann::ordered_json config = flags.init.empty()
                                      ? training::small_config(flags.arch)
                                      : formats::parse_ordered_json(read_text_file(flags.init));
  if (!config.is_object()) throw Error{ErrorCode::kInvalidInput, "is no JSON object", flags.init};
  training::write_fresh_model(flags.arch, std::move(config), output);
  return output;
}

struct Sources {
  std::unique_ptr<media::ImageProcessor> processor;
  std::unique_ptr<training::SampleSource> samples;
  std::unique_ptr<training::SampleSource> held_out;
};

Sources sources_of(const training::TrainSettings& flags, const fs::path& folder, int num_frames) {
  Sources sources;
  training::SceneOptions scenes = scene_options(flags);
  training::SceneOptions held_out = held_out_scenes();
  if (flags.arch == "gpt2") {
    sources.samples = training::world_texts(scenes);
    sources.held_out = training::world_texts(held_out);
    return sources;
  }
  sources.processor = processor_of(folder);
  if (!flags.captions.empty()) {
    sources.samples = training::coco_captions(
        flags.captions, {flags.images.begin(), flags.images.end()}, *sources.processor);
  } else if (flags.arch == "xclip") {
    sources.samples = training::clip_captions(scenes, *sources.processor, num_frames);
    sources.held_out = training::clip_captions(held_out, *sources.processor, num_frames);
  } else {
    sources.samples = flags.has_contrasts ? contrast_source(flags, *sources.processor)
                                          : training::scene_captions(scenes, *sources.processor);
    sources.held_out = training::scene_contrasts(held_out, *sources.processor);
  }
  return sources;
}

int run_train(const Context& context, const training::TrainSettings& flags) {
  TrainingSetup setup;
  setup.companions = beginning(flags);
  nlohmann::json json = models::read_config(setup.companions / "config.json");
  models::ConfigView config(json, (setup.companions / "config.json").string());
  if (config.text("model_type", "") != flags.arch)
    config.fail("model_type", fmt::format("--arch is {}", flags.arch));
  if (flags.arch == "xclip")
    setup.num_frames = static_cast<uint32_t>(
        config.sub_with_twin("vision_config").positive("num_frames", 8, /*max=*/1024));
  Sources sources = sources_of(flags, setup.companions, static_cast<int>(setup.num_frames));
  setup.learner = learner_options(flags);
  setup.learner.contrast_weight = flags.contrast_weight;
  if (sources.processor) {
    setup.learner.mean = sources.processor->config().mean;
    setup.learner.std = sources.processor->config().std;
    if (flags.arch != "xclip") setup.processor = sources.processor.get();
    setup.asks_world = flags.captions.empty();
  }
  // A sample with contrasts is two.
  setup.samples_per_batch = flags.batch_size / (flags.has_contrasts ? 2 : 1);
  return run_training(context, flags, setup, *sources.samples, sources.held_out.get());
}

}  // namespace

std::function<int()> add_train(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("train", "train a model from nothing, on the eyechart");
  auto flags = std::make_shared<training::TrainSettings>();
  add_training_flags(*verb, *flags);
  verb->add_option("--arch", flags->arch, "clip, blip, xclip or gpt2 (default clip)")
      ->check(CLI::IsMember({"clip", "blip", "xclip", "gpt2"}));
  verb->add_option("--init",
                   flags->init,
                   "config.json of a new model, or a model folder to go on from (default: a small "
                   "model of about 2 M weights)")
      ->type_name("PATH");
  verb->add_option("--captions", flags->captions, "COCO captions instead of the eyechart")
      ->type_name("FILE");
  verb->add_option("--images", flags->images, "folders of their pictures")->type_name("DIR");
  verb->add_flag("--contrasts", flags->has_contrasts, "selective negatives in every batch");
  verb->add_option("--contrast-weight", flags->contrast_weight, "of their hinges (default 1)");
  verb->footer(
      "Writes a Hugging Face folder, with train.jsonl beside it. Ctrl-C keeps a checkpoint; the "
      "same "
      "command goes on.\nExample:\n  snellen train --arch clip --scenes 20000 --epochs 20 --output "
      "my-clip");
  return [&context, flags] { return run_train(context, *flags); };
}

}  // namespace snellen::cli
