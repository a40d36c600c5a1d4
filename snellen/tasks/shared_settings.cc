// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/shared_settings.h"

#include "snellen/config/groups.h"

namespace snellen::tasks {
namespace {

config::Option ignored(std::string SharedSettings::*member, const char* name) {
  return config::option(member, name, "of the reference scripts; changes nothing")
      .identity(false)
      .unstamped()
      .rare();
}

}  // namespace

std::vector<config::Option> shared_options() {
  using config::option;
  using S = SharedSettings;
  return config::joined(
      {config::grouped(
           "What to run",
           {option(&S::data, "data", "annotation folder, or TASK=DIR for each task")
                .alias("annot_dir")
                .identity(false)
                .many()
                .value("[TASK=]DIR"),
            option(&S::images, "images", "image folder, or SET=DIR for each: coco=DIR vg=DIR")
                .alias("root_image_dir")
                .identity(false)
                .many()
                .value("[SET=]DIR"),
            option(&S::adapter,
                   "adapter",
                   "file: read --scores; given: read the task's own files; --model is only a name "
                   "then")
                .choices({"file", "given"})}),
       config::grouped(
           "How metrics are computed",
           {option(&S::seed, "seed", "seed of every random number").range(0, 9.2e18),
            option(&S::ties,
                   "ties",
                   "how a tied decision counts (default: the task's rule, mostly wrong); foil and "
                   "caption are ViLMA's words for wrong and right")
                .choices({"wrong", "half", "right", "foil", "caption"})}),
       {ignored(&S::home_dir, "home-dir"),
        ignored(&S::checkpoint_pth, "checkpoint-pth"),
        ignored(&S::model_weights, "model-weights")},
       config::grouped("How the work is done",
                       {option(&S::num_workers, "num-workers", "threads; 0: one per core")
                            .alias("threads")
                            .range(0, 1024)
                            .identity(false)})});
}

std::vector<std::string> ignored_flags(const SharedSettings& settings) {
  std::vector<std::string> notes;
  if (!settings.home_dir.empty())
    notes.emplace_back("--home-dir is ignored, as the reference scripts ignore it");
  if (!settings.checkpoint_pth.empty())
    notes.emplace_back("--checkpoint-pth is ignored, as the reference scripts ignore it");
  if (!settings.model_weights.empty())
    notes.emplace_back(
        "--model-weights is ignored: blend the weights with `snellen patch` and name the folder "
        "it writes with --model");
  return notes;
}

}  // namespace snellen::tasks
