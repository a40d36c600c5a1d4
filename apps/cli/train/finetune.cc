// SPDX-License-Identifier: Apache-2.0
// `snellen finetune`: a dual encoder learns from selective negatives (spec/probe.md 7).
#include <fmt/format.h>

#include "apps/cli/train/training_run.h"
#include "snellen/training/data/file_sources.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

training::Trained trained_of(const std::string& name) {
  if (name == "V") return training::Trained::kVision;
  return name == "T" ? training::Trained::kText : training::Trained::kBoth;
}

int run_finetune(const Context& context, const training::FinetuneSettings& flags) {
  std::error_code ignored;
  if (fs::exists(fs::path(flags.output) / "model.safetensors", ignored)) {
    throw Error{ErrorCode::kInvalidInput,
                "holds a trained model already",
                flags.output,
                "name another --output, or remove it"};
  }
  TrainingSetup setup;
  setup.companions = flags.model;
  setup.learner = learner_options(flags);
  setup.learner.trained = trained_of(flags.trained);
  setup.learner.margin = flags.margin;
  setup.learner.contrast_weight = flags.itm_weight;
  std::unique_ptr<media::ImageProcessor> processor = processor_of(flags.model);
  setup.learner.mean = processor->config().mean;
  setup.learner.std = processor->config().std;
  setup.processor = processor.get();
  setup.asks_world = flags.relcomp.empty();
  setup.samples_per_batch = flags.batch_size / 2;  // one of each kind
  training::Folders folders(flags.images.begin(), flags.images.end());
  std::unique_ptr<training::SampleSource> samples, held_out;
  if (flags.relcomp.empty()) {
    samples = contrast_source(flags, *processor);
    held_out = training::scene_contrasts(held_out_scenes(), *processor);
  } else {
    samples = training::relcomp_samples(flags.relcomp, folders, *processor);
    if (!flags.relcomp_val.empty())
      held_out = training::relcomp_samples(flags.relcomp_val, folders, *processor);
  }
  return run_training(context, flags, setup, *samples, held_out.get());
}

}  // namespace

std::function<int()> add_finetune(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand(
      "finetune", "teach a dual encoder relations and attributes with selective negatives");
  auto flags = std::make_shared<training::FinetuneSettings>();
  add_training_flags(*verb, *flags);
  verb->add_option("--model", flags->model, "folder of the model to begin with")
      ->type_name("DIR")
      ->required();
  verb->add_option("--train", flags->trained, "V, T or VT: which tower moves (default VT)")
      ->check(CLI::IsMember({"V", "T", "VT"}));
  verb->add_option("--relcomp", flags->relcomp, "relcomp_train.jsonl, instead of the eyechart")
      ->type_name("FILE");
  verb->add_option("--relcomp-val", flags->relcomp_val, "relcomp_val.jsonl, to evaluate on")
      ->type_name("FILE");
  verb->add_option("--images", flags->images, "folders of their pictures")->type_name("DIR");
  verb->add_option("--margin", flags->margin, "of the hinges (default 0.2)")
      ->check(CLI::PositiveNumber);
  verb->add_option("--itm-weight", flags->itm_weight, "of the hinges (default 1)")
      ->check(CLI::NonNegativeNumber);
  verb->footer(
      "Half of a batch are attribute pairs, half relations; the logit scale stays as it is.\n"
      "Example:\n  snellen finetune --model models/clip --relcomp relcomp/relcomp_train.jsonl "
      "--images train2014 VG_100K --output tuned");
  return [&context, flags] { return run_finetune(context, *flags); };
}

}  // namespace snellen::cli
