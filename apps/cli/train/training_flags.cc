// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/training_flags.h"

#include "apps/cli/train/probe_flags.h"
#include "snellen/config/groups.h"

namespace snellen::cli {
std::vector<config::Option> training_options() {
  using config::option;
  using S = training::TrainingSettings;
  std::vector<config::Option> own = config::joined(
      {{option(&S::output, "output", "folder of the trained model")
            .alias("out")
            .value("DIR")
            .required(),
        option(&S::seed, "seed", "seed of new weights, sample order and random numbers"),
        option(&S::device, "device", "cpu, cuda or cuda:N"),
        option(&S::dtype, "dtype", "number type of activations; weights are trained in fp32")
            .choices({"fp32", "bf16"}),
        option(&S::saved_dtype, "save-dtype", "number type of the weights that are written")
            .choices({"fp32", "bf16", "fp16"}),
        option(&S::num_workers, "num-workers", "threads that make batches; 0: one per core")
            .range(0, 1024),
        option(&S::torch_threads, "torch-threads", "threads of the CPU training; 0: one per core")
            .range(0, 1024)},
       config::grouped(
           "Optimiser",
           {option(&S::steps, "steps", "number of steps, instead of --epochs").range(1, 1e12),
            option(&S::epochs, "epochs", "passes over all samples").above(0),
            option(&S::batch_size, "batch-size", "samples per batch").range(2, 1 << 20),
            option(&S::accumulate, "accumulate", "batches per step").range(1, 1 << 16),
            option(&S::chunk, "chunk", "gradient cache: images per forward pass of a tower; 0: all")
                .range(0),
            option(&S::lr, "lr", "highest learning rate").above(0),
            option(&S::weight_decay, "weight-decay", "weight decay of AdamW").range(0),
            option(&S::beta2, "beta2", "beta2 of AdamW").range(0, 1),
            option(&S::warmup, "warmup", "share of the steps in which the learning rate rises")
                .range(0, 1),
            option(
                &S::clip_norm, "clip-norm", "clip the gradient norm to this value; 0: do not clip")
                .range(0),
            option(
                &S::ema, "ema", "average the weights with this decay and save the average; 0: off")
                .range(0, 1)}),
       config::grouped(
           "Scenes of the eyechart",
           {option(&S::scenes, "scenes", "scenes (clips, texts) per epoch").range(1, 1e8),
            option(&S::world,
                   "world",
                   "seed of the training scenes; do not use 0, the seed of the probe data sets"),
            option(&S::plain_scenes,
                   "plain-scenes",
                   "extra scenes per epoch with a caption but no selective negatives")
                .range(0, 1e8),
            option(&S::relation_percent,
                   "relation-percent",
                   "percentage of captions that state a relation")
                .range(0, 100),
            option(&S::cache_gb, "cache-gb", "memory for rendered scenes in GB").range(0)}),
       config::grouped(
           "Checkpoints and evaluation",
           {option(&S::checkpoint_every, "checkpoint-every", "steps between two checkpoints"),
            option(&S::keeps_checkpoints,
                   "keep-checkpoints",
                   "keep the last two checkpoints after training has finished"),
            option(&S::evaluate_every,
                   "evaluate-every",
                   "steps between two evaluations; 0: only before and after (default: a tenth of "
                   "all)"),
            option(&S::patience,
                   "patience",
                   "stop after this many evaluations without improvement; 0: never stop early"),
            option(&S::stop_on, "stop-on", "what --patience watches: loss, or the name of a probe")
                .needs("patience")})});
  return config::joined(
      {std::move(own), config::inherited<S, training::ProbeSettings>(probe_options())});
}

}  // namespace snellen::cli
