// SPDX-License-Identifier: Apache-2.0
// What a user decides about a training, with the defaults. The program declares its flags over
// these members.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snellen/training/data/world_prompts.h"

namespace snellen::training {

// The questions a model is asked while it learns, or between two others.
struct ProbeSettings {
  std::vector<std::string> probe_files;  // kHeldOutWorld is the held-out world of the eyechart
  std::string probe_images;              // folder of their images; empty: beside the files
  uint64_t probe_scenes = 256;           // scenes of the held-out world

  static constexpr const char* kHeldOutWorld = "eyechart";
  bool wants_held_out_world() const;
};

// What `train` and `finetune` share.
struct TrainingSettings : ProbeSettings {
  std::string output;
  uint64_t seed = 0;
  std::string device = "cpu";
  std::string dtype = "fp32";        // of activations: fp32 or bf16
  std::string saved_dtype = "fp32";  // of the weights that are written: fp32, bf16 or fp16
  unsigned num_workers = 0;          // threads that make batches; 0: one per core
  unsigned torch_threads = 0;        // 0: one per core

  std::optional<uint64_t> steps;  // instead of epochs
  double epochs = 1;
  uint64_t batch_size = 128;
  uint64_t accumulate = 1;  // batches per step
  int64_t chunk = 0;        // LearnerOptions::chunk
  double lr = 1e-3;
  double weight_decay = 1e-4;
  double beta2 = 0.999;
  double warmup = 0.05;  // share of the steps
  double clip_norm = 0;  // 0: gradients are not clipped
  double ema = 0;        // decay of averaged weights; 0: none are kept

  // Scenes of the eyechart.
  uint64_t scenes = 20000;  // per epoch
  uint64_t world = 1;
  uint64_t plain_scenes = 0;
  uint64_t relation_percent = kUsualRelationPercent;
  double cache_gb = 4;

  uint64_t checkpoint_every = 500;  // steps
  bool keeps_checkpoints = false;
  std::optional<uint64_t> evaluate_every;  // steps; a tenth of all where it is not set
  uint64_t patience = 0;                   // evaluations; 0: no early stopping
  std::string stop_on = "loss";
};

struct TrainSettings : TrainingSettings {
  TrainSettings();

  std::string arch = "clip";
  std::string init;      // config.json of a new model, or a model folder; empty: a small model
  std::string captions;  // COCO captions instead of the eyechart
  std::vector<std::string> images;
  bool has_contrasts = false;
  double contrast_weight = 1;
};

struct FinetuneSettings : TrainingSettings {
  FinetuneSettings();

  std::string model;
  std::string trained = "VT";  // V, T or VT
  std::string relcomp;         // relcomp_train.jsonl instead of the eyechart
  std::string relcomp_val;
  std::vector<std::string> images;
  double margin = 0.2;
  double itm_weight = 1;
};

struct PatchSettings : ProbeSettings {
  std::string original;
  std::string tuned;
  std::string output;
  double alpha = 0.2;
  std::string alphas;     // several, as 0,0.1,..,1; empty: `alpha` alone
  std::string instances;  // COCO's, for naming; empty: scenes of the held-out world are named
  std::string images;
  std::string best_of;
  double most_drop = 0.03;
  std::string device = "cpu";
  std::string dtype = "fp32";
  unsigned num_threads = 0;

  bool asks_probes() const {
    return !probe_files.empty() || !instances.empty() || !best_of.empty();
  }
};

}  // namespace snellen::training
