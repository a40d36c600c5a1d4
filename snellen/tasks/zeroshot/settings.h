// SPDX-License-Identifier: Apache-2.0
// What is set of zero-shot classification: the same for `run --tasks zeroshot` and `zeroshot`.
#pragma once

#include <string>
#include <vector>

#include "snellen/config/option.h"

namespace snellen::tasks {

struct ZeroshotSettings {
  std::string instances;
  std::string classes;
  std::string ground_truth;
  std::string mapping;
  std::string templates;
  std::string right = "any";
};
std::vector<config::Option> zeroshot_options();

}  // namespace snellen::tasks
