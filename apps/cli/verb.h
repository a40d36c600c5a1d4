// SPDX-License-Identifier: Apache-2.0
// A verb of the program: declares its flags, then runs. One file and one line of
// apps/cli/CMakeLists.txt each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "snellen/config/options.h"

namespace snellen::run {
struct Catalogue;
}

namespace snellen::cli {

// What every verb gets.
struct Context {
  const run::Catalogue& catalogue;
  std::string command;      // the command line, for stamps
  std::string program;      // path of this program, to find its data
  bool wants_json = false;  // --json, on every verb
};

}  // namespace snellen::cli
