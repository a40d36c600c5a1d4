// SPDX-License-Identifier: Apache-2.0
// `snellen train`: a model from nothing, on the eyechart or on captioned pictures.
#include "apps/cli/train/training_flags.h"
#include "apps/cli/train/training_run.h"

namespace snellen::cli {
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
  return [&context, flags] {
    return run_training(
        context, *flags, [&flags](training::Session& session) { return session.train(*flags); });
  };
}

}  // namespace snellen::cli
