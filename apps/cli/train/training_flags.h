// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "apps/cli/train/probe_flags.h"
#include "apps/cli/verb.h"
#include "snellen/training/data/scene_sources.h"
#include "snellen/training/learner.h"
#include "snellen/training/loop/schedule.h"
#include "snellen/training/settings.h"

namespace snellen::cli {

void add_training_flags(CLI::App& verb, training::TrainingSettings& flags);

models::ElementType saved_type(const training::TrainingSettings& flags);
training::SceneOptions scene_options(const training::TrainingSettings& flags);
// Of a world that nobody learns from.
training::SceneOptions held_out_scenes();
// Selective negatives of the eyechart, with plain captioned scenes mixed in where they are asked
// for.
std::unique_ptr<training::SampleSource> contrast_source(const training::TrainingSettings& flags,
                                                        const media::ImageProcessor& processor);
// Without what only one of the verbs knows: which weights move, margins.
training::LearnerOptions learner_options(const training::TrainingSettings& flags);
training::Schedule schedule_of(const training::TrainingSettings& flags, uint64_t batches_per_epoch);

}  // namespace snellen::cli
