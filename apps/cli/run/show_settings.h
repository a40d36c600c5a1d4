// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cli/run/run_output.h"

namespace snellen::cli {

// How results are shown: a config file holds these settings too, a stamp does not.
struct ShowSettings {
  std::string task;  // `score` alone: the task that the scores belong to
  Format format = Format::kText;
  bool with_breakdowns = false;
  bool is_wide = false;
  bool wants_json = false;
};

// The settings of a run and how it is shown.
config::Options run_and_show_options(const Context& context);

}  // namespace snellen::cli
