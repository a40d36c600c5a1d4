// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/training_flags.h"

#include "apps/cli/train/probe_flags.h"

namespace snellen::cli {
void add_training_flags(CLI::App& verb, training::TrainingSettings& flags) {
  const CLI::Range share(0.0, 1.0);
  verb.add_option("--output,--out", flags.output, "folder of the trained model")
      ->type_name("DIR")
      ->required();
  verb.add_option("--seed", flags.seed, "of new weights, order and draws (default 0)");
  verb.add_option("--device", flags.device, "cpu, cuda or cuda:N (default cpu)");
  verb.add_option("--dtype", flags.dtype, "of activations; weights stay fp32 (default fp32)")
      ->check(CLI::IsMember({"fp32", "bf16"}));
  verb.add_option("--save-dtype", flags.saved_dtype, "of the weights that are written")
      ->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
  verb.add_option("--num-workers", flags.num_workers, "threads that make batches (default: cores)")
      ->check(CLI::Range(0U, 1024U));
  verb.add_option("--torch-threads", flags.torch_threads, "threads that learn on the CPU")
      ->check(CLI::Range(0U, 1024U));
  verb.add_option("--steps", flags.steps, "steps, instead of epochs")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40));
  verb.add_option("--epochs", flags.epochs, "times through all samples")
      ->check(CLI::PositiveNumber);
  verb.add_option("--batch-size", flags.batch_size, "samples of a batch")
      ->check(CLI::Range(uint64_t{2}, uint64_t{1} << 20));
  verb.add_option("--accumulate", flags.accumulate, "batches of a step (default 1)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 16));
  verb.add_option("--chunk",
                  flags.chunk,
                  "gradient cache: pictures that go through a tower at once (default: all)")
      ->check(CLI::NonNegativeNumber);
  verb.add_option("--lr", flags.lr, "highest learning rate")->check(CLI::PositiveNumber);
  verb.add_option("--weight-decay", flags.weight_decay)->check(CLI::NonNegativeNumber);
  verb.add_option("--beta2", flags.beta2, "AdamW's (default 0.999)")->check(share);
  verb.add_option("--warmup", flags.warmup, "share of steps with a rising rate (default 0.05)")
      ->check(share);
  verb.add_option("--clip-norm", flags.clip_norm, "longest gradient (default: no limit)")
      ->check(CLI::NonNegativeNumber);
  verb.add_option("--ema", flags.ema, "keep and save averaged weights with this decay")
      ->check(share);
  verb.add_option("--scenes", flags.scenes, "eyechart scenes (clips, texts) of an epoch")
      ->check(CLI::Range(uint64_t{1}, uint64_t{100'000'000}));
  verb.add_option("--world", flags.world, "seed of the scenes; trees of the probes have 0");
  verb.add_option(
          "--plain-scenes",
          flags.plain_scenes,
          "captioned scenes without negatives among those with them, of an epoch (default 0)")
      ->check(CLI::Range(uint64_t{0}, uint64_t{100'000'000}));
  verb.add_option("--relation-percent",
                  flags.relation_percent,
                  "captions of a hundred that tell a relation (default 58)")
      ->check(CLI::Range(uint64_t{0}, uint64_t{100}));
  verb.add_option("--cache-gb", flags.cache_gb, "memory for rendered scenes (default 4)")
      ->check(CLI::NonNegativeNumber);
  verb.add_option("--checkpoint-every", flags.checkpoint_every, "steps (default 500)");
  verb.add_flag("--keep-checkpoints", flags.keeps_checkpoints, "also when the model is written");
  verb.add_option("--evaluate-every",
                  flags.evaluate_every,
                  "steps; 0: only before and after (default: a tenth of all)");
  CLI::Option* patience =
      verb.add_option("--patience",
                      flags.patience,
                      "stop after this many evaluations without a better one (default: never)");
  verb.add_option("--stop-on", flags.stop_on, "what is to get better: loss, or a probe's name")
      ->type_name("NAME")
      ->needs(patience);
  add_probe_flags(verb, flags);
}

}  // namespace snellen::cli
