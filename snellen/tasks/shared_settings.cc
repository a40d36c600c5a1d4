// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks {

std::vector<config::Option> shared_options() {
  using config::option;
  using S = SharedSettings;
  return {
      option(&S::data, "data", "folder of the annotation files")
          .alias("annot_dir")
          .identity(false)
          .value("DIR")
          .group("What to run"),
      option(&S::images, "root-image-dir", "folder of the images")
          .identity(false)
          .value("DIR")
          .group("What to run"),
      option(&S::seed, "seed", "seed of every random number")
          .range(0, 9.2e18)
          .group("How metrics are computed"),
      option(&S::ties,
             "ties",
             "how a tied decision counts (default: the task's rule, mostly wrong); foil and "
             "caption are ViLMA's words for wrong and right")
          .choices({"wrong", "half", "right", "foil", "caption"})
          .group("How metrics are computed"),
      option(&S::num_workers, "num-workers", "threads; 0: one per core; does not change results")
          .alias("threads")
          .range(0, 1024)
          .identity(false)
          .group("How the work is done")};
}

}  // namespace snellen::tasks
