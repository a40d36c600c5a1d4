// SPDX-License-Identifier: Apache-2.0
// `snellen finetune`: a dual encoder learns from selective negatives (docs/spec/probe.md 7).
#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/train/training_flags.h"
#include "apps/cli/train/training_run.h"

namespace snellen::cli {
std::function<int()> add_finetune(Command app, Context& context) {
  using config::option;
  using S = training::FinetuneSettings;
  Command verb = app.add_subcommand(
      "finetune", "teach a dual encoder relations and attributes with selective negatives");
  verb.footer(
      "Half of each batch are attribute pairs, half are relations; the logit scale is not "
      "trained.\n"
      "Example:\n"
      "  snellen finetune --model models/clip --relcomp relcomp/relcomp_train.jsonl\n"
      "      --images train2014 VG_100K --output tuned");
  std::vector<config::Option> own = {
      option(&S::model, "model", "checkpoint folder to start from, or published name as ORG/NAME")
          .value("DIR")
          .required(),
      option(&S::trained, "train", "which tower is trained: vision, text or both")
          .choices({"V", "T", "VT"}),
      option(&S::relcomp, "relcomp", "train on relcomp_train.jsonl instead of the eyechart")
          .value("FILE"),
      option(&S::relcomp_val, "relcomp-val", "evaluate on relcomp_val.jsonl").value("FILE"),
      option(&S::images, "images", "folders of the images that --relcomp names")
          .value("DIR")
          .whole_words()
          .many(),
      option(&S::margin, "margin", "margin of the hinge losses").above(0),
      option(&S::itm_weight, "itm-weight", "weight of the hinge losses").range(0)};
  return verb_with(
      verb,
      S{},
      config::joined(
          {std::move(own), config::inherited<S, training::TrainingSettings>(training_options())}),
      [&context](S settings) {
        settings.model = model_folder(context, settings.model).string();
        return run_training(context, settings, [&settings](training::Session& session) {
          return session.finetune(settings);
        });
      });
}

}  // namespace snellen::cli
