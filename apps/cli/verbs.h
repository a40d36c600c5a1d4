// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "apps/cli/verb.h"

namespace snellen::cli {

// The verbs of the program ("snellen") or the sub-commands of a verb, in the order of the lines
// snellen_add_verb() of apps/cli/CMakeLists.txt, which this list is written from.
std::span<const Verb> verbs_of(std::string_view owner);

}  // namespace snellen::cli
