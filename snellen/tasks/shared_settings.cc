// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/shared_settings.h"

#include "snellen/config/groups.h"

namespace snellen::tasks {

std::vector<config::Option> shared_options() {
  using config::option;
  using S = SharedSettings;
  return config::joined(
      {config::grouped(
           "What to run",
           {option(&S::data, "data", "annotation folder")
                .alias("annot_dir")
                .identity(false)
                .value("DIR"),
            option(&S::images, "root-image-dir", "folder of the images")
                .identity(false)
                .value("DIR"),
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
       config::grouped("How the work is done",
                       {option(&S::num_workers, "num-workers", "threads; 0: one per core")
                            .alias("threads")
                            .range(0, 1024)
                            .identity(false)})});
}

}  // namespace snellen::tasks
