// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "apps/cli/verb.h"
#include "snellen/training/session.h"

namespace snellen::cli {

// Runs `verb` in a session of this process, or of those that mpirun or srun started with it, shows
// progress and prints what came of it. Gives the exit code: 130 when it was interrupted, 4 when
// samples had to be replaced.
int run_training(const Context& context,
                 const training::TrainingSettings& settings,
                 const std::function<training::TrainingSummary(training::Session&)>& verb);

}  // namespace snellen::cli
