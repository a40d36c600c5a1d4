// SPDX-License-Identifier: Apache-2.0
// From settings to what a training begins with: the folder, the samples, the learner's options.
#pragma once

#include <filesystem>
#include <memory>

#include "snellen/dist/group.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/training/data/sample_source.h"
#include "snellen/training/data/scene_sources.h"
#include "snellen/training/learner.h"
#include "snellen/training/loop/schedule.h"
#include "snellen/training/settings.h"

namespace snellen::training {

struct TrainingSetup {
  std::filesystem::path companions;  // config, tokenizer, preprocessing; weights too unless new
  LearnerOptions learner;
  uint64_t samples_per_batch = 1;  // of the source
  uint32_t num_frames = 1;
  std::unique_ptr<media::ImageProcessor> processor;  // null for models that see nothing
  std::unique_ptr<SampleSource> samples;
  std::unique_ptr<SampleSource> held_out;  // may be null
  std::unique_ptr<SampleSource>
      learnt;                   // the first of `samples`, evaluated beside held_out; may be null
  bool can_ask_probes = false;  // they show single images: models of text and of clips cannot
  bool asks_held_out_world = false;  // without being told to
};

// The folder that `train` begins with: `init` where it is a folder, else a new model at the output,
// which rank 0 writes unless an interrupted training left it there. Throws kInvalidInput when the
// output holds a trained model.
std::filesystem::path first_folder(const TrainSettings& settings, dist::Group& group);

// Throws kUsage for a device that is none, kNotFound and kInvalidInput for bad files.
TrainingSetup train_setup(const TrainSettings& settings, const std::filesystem::path& folder);
TrainingSetup finetune_setup(const FinetuneSettings& settings);

Schedule schedule_of(const TrainingSettings& settings, uint64_t batches_per_epoch);
// Scenes of a world that nobody learns from.
SceneOptions held_out_scenes();

// What decides the weights, as text. Numbers of workers and of checkpoints do not.
std::string stamp_of(const TrainingSettings& settings,
                     const TrainingSetup& setup,
                     const Schedule& schedule,
                     uint64_t evaluate_every);

}  // namespace snellen::training
