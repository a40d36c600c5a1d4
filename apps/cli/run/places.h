// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cli/verb.h"

namespace snellen::cli {

// Fills in what only the program can know of the settings that the run uses: folders of the data
// registry, files of its data folder and where METEOR's tables lie, so that the stamp tells it.
void set_places(const Context& context, config::Options& options);

}  // namespace snellen::cli
