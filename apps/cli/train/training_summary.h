// SPDX-License-Identifier: Apache-2.0
// What a training leaves for people: its curves, and a summary on stdout.
#pragma once

#include <filesystem>

#include "apps/cli/train/training_flags.h"
#include "snellen/report/training_curves.h"
#include "snellen/training/loop/trainer.h"

namespace snellen::cli {

// OUTPUT/curves.svg from OUTPUT/train.jsonl, whole; gives what was read.
report::TrainingCurves write_curves(const std::filesystem::path& output);

void print_summary(const Context& context,
                   const training::TrainingSettings& flags,
                   const training::TrainingSummary& summary,
                   const report::TrainingCurves& curves);

}  // namespace snellen::cli
