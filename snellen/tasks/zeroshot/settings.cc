// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/zeroshot/settings.h"

namespace snellen::tasks {

std::vector<config::Option> zeroshot_options() {
  using config::option;
  using S = ZeroshotSettings;
  return {option(&S::instances, "instances", "COCO instances file: images of several objects")
              .value("FILE"),
          option(&S::right, "right", "with --instances: which objects count as right")
              .choices({"any", "largest"}),
          option(&S::classes, "classes", "CSV file with lines folder,class").value("FILE"),
          option(&S::ground_truth,
                 "ground-truth",
                 "file with the class of each image of one folder, a line each, in the order of "
                 "their names")
              .omit_default()
              .value("FILE"),
          option(&S::mapping,
                 "mapping",
                 "file with lines NUMBER SYNSET, where --ground-truth gives numbers")
              .omit_default()
              .value("FILE"),
          option(&S::templates, "templates", "file with one prompt per line; {} is the class")
              .value("FILE")};
}

}  // namespace snellen::tasks
