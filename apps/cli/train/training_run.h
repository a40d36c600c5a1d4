// SPDX-License-Identifier: Apache-2.0
// From samples and a model folder to a trained model folder: what `train` and `finetune` share.
#pragma once

#include <filesystem>
#include <memory>

#include "apps/cli/train/training_flags.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/training/data/sample_source.h"
#include "snellen/training/loop/trainer.h"

namespace snellen::cli {

// What a training begins with.
struct TrainingSetup {
  std::filesystem::path companions;  // config, tokenizer, preprocessing; weights too unless new
  training::LearnerOptions learner;
  uint64_t samples_per_batch = 1;  // of the source
  uint32_t num_frames = 1;
  // Probes are asked of pictures that went through it; null for models that see none, or clips.
  const media::ImageProcessor* processor = nullptr;
  bool asks_world = false;  // the held-out world too, without being told to
};

// The preprocessing of a folder; throws kNotFound when it has none.
std::unique_ptr<media::ImageProcessor> processor_of(const std::filesystem::path& folder);

// Trains, or continues where an interrupted call left off; prints what came of it. `held_out` may
// be null. Gives the exit code: 130 when it was interrupted, 4 when samples had to be replaced.
int run_training(const Context& context,
                 const training::TrainingSettings& flags,
                 const TrainingSetup& setup,
                 const training::SampleSource& samples,
                 const training::SampleSource* held_out);

}  // namespace snellen::cli
