// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/launch.h"

#include <unistd.h>

#include <string_view>

namespace snellen::cli {

dist::Launch this_launch() {
  dist::Variables variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    if (size_t sign = text.find('='); sign != std::string_view::npos)
      variables.emplace(text.substr(0, sign), text.substr(sign + 1));
  }
  return dist::find_launch(variables);
}

}  // namespace snellen::cli
