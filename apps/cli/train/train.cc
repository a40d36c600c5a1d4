// SPDX-License-Identifier: Apache-2.0
// `snellen train`: a model from nothing, on the eyechart or on captioned pictures.
#include "apps/cli/setting_flags.h"
#include "apps/cli/train/train_cca.h"
#include "apps/cli/train/training_flags.h"
#include "apps/cli/train/training_run.h"

namespace snellen::cli {
std::function<int()> add_train(Command app, Context& context) {
  using config::option;
  using S = training::TrainSettings;
  Command verb = app.add_subcommand("train", "train a new model on the eyechart or on captions");
  verb.footer(
      "Writes a Hugging Face folder with train.jsonl beside it. Ctrl-C keeps a checkpoint; the\n"
      "same command continues from it.\n"
      "Example:\n"
      "  snellen train --arch clip --scenes 20000 --epochs 20 --output my-clip\n"
      "Not a network: snellen train cca --help");
  std::vector<config::Option> own = {
      option(&S::arch, "arch", "architecture").choices({"clip", "blip", "xclip", "gpt2"}),
      option(&S::init,
             "init",
             "config.json of a new model, or a model folder to continue from (default: a small "
             "model of about 2 M weights)")
          .value("PATH"),
      option(&S::captions, "captions", "train on these COCO captions instead of the eyechart")
          .value("FILE"),
      option(&S::images, "images", "folders of the images that --captions names")
          .value("DIR")
          .whole_words()
          .many(),
      option(&S::has_contrasts, "contrasts", "add selective negatives to every batch"),
      option(&S::contrast_weight, "contrast-weight", "weight of their hinge losses")};
  std::function<int()> train = verb_with(
      verb,
      S{},
      config::joined(
          {std::move(own), config::inherited<S, training::TrainingSettings>(training_options())}),
      [&context](const S& settings) {
        return run_training(context, settings, [&settings](training::Session& session) {
          return session.train(settings);
        });
      });
  std::function<int()> fit = add_train_cca(verb, context);
  Command cca = verb.last_subcommand();
  return [cca, train, fit] { return cca.parsed() ? fit() : train(); };
}

}  // namespace snellen::cli
