// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/train/probe_flags.h"
#include "apps/cli/verb.h"
#include "snellen/training/data/scene_sources.h"
#include "snellen/training/learner.h"
#include "snellen/training/loop/schedule.h"

namespace snellen::cli {

// What `train` and `finetune` share.
struct TrainingFlags {
  std::string output;
  uint64_t seed = 0;
  std::string device = "cpu";
  std::string dtype = "fp32";
  std::string saved_dtype = "fp32";
  unsigned num_workers = 0;
  unsigned torch_threads = 0;

  std::optional<uint64_t> steps;
  double epochs = 1;
  uint64_t batch_size = 128;
  uint64_t accumulate = 1;
  int64_t chunk = 0;
  double lr = 1e-3;
  double weight_decay = 1e-4;
  double beta2 = 0.999;
  double warmup = 0.05;
  double clip_norm = 0;
  double ema = 0;

  // The eyechart's scenes.
  uint64_t scenes = 20000;
  uint64_t world = 1;
  uint64_t plain_scenes = 0;
  uint64_t relation_percent = training::kUsualRelationPercent;
  double cache_gb = 4;

  uint64_t checkpoint_every = 500;
  bool keeps_checkpoints = false;
  std::optional<uint64_t> evaluate_every;  // about ten times where it is not set
  uint64_t patience = 0;
  std::string stop_on = "loss";
  ProbeFlags probes;
};

void add_training_flags(CLI::App& verb, TrainingFlags& flags);

models::ElementType saved_type(const TrainingFlags& flags);
training::SceneOptions scene_options(const TrainingFlags& flags);
// Of a world that nobody learns from.
training::SceneOptions held_out_scenes();
// Selective negatives of the eyechart, with plain captioned scenes mixed in where they are asked
// for.
std::unique_ptr<training::SampleSource> contrast_source(const TrainingFlags& flags,
                                                        const media::ImageProcessor& processor);
// Without what only one of the verbs knows: which weights move, margins.
training::LearnerOptions learner_options(const TrainingFlags& flags);
training::Schedule schedule_of(const TrainingFlags& flags, uint64_t batches_per_epoch);

}  // namespace snellen::cli
