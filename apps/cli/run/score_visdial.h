// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cli/run/run_output.h"

namespace snellen::cli {

// `score visdial-gen`: finds METEOR's data, runs, shows the table or (in compat) the lines of the
// published program, and says what changed the numbers. 1 when a metric is undefined everywhere.
int score_visdial(Context& context, config::Options options, const ShowOptions& show);

}  // namespace snellen::cli
