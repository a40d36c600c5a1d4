// SPDX-License-Identifier: Apache-2.0
// `snellen finetune`: a dual encoder learns from selective negatives (spec/probe.md 7).
#include "apps/cli/train/training_flags.h"
#include "apps/cli/train/training_run.h"

namespace snellen::cli {
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
  return [&context, flags] {
    return run_training(
        context, *flags, [&flags](training::Session& session) { return session.finetune(*flags); });
  };
}

}  // namespace snellen::cli
