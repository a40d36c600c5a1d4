// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/config/option.h"

namespace snellen::config {

// The options under one heading of the help.
inline std::vector<Option> grouped(const std::string& heading, std::vector<Option> options) {
  for (Option& option : options) option.group(heading);
  return options;
}

}  // namespace snellen::config
