// SPDX-License-Identifier: Apache-2.0
// What a model is asked while it is trained, or between two others.
#pragma once

#include <vector>

#include "apps/cli/verb.h"
#include "snellen/training/session.h"

namespace snellen::cli {

// --probe, --probe-images, --probe-scenes.
std::vector<config::Option> probe_options();

// The items of the files, in their order, without the held-out world. Throws kNotFound and
// kInvalidInput for files that cannot be used at all.
std::vector<training::ProbeTask> open_probe_tasks(const Context& context,
                                                  const training::ProbeSettings& flags);

}  // namespace snellen::cli
