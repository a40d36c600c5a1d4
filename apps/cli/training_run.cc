// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/training_run.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/file_batch.h"
#include "apps/cli/networks.h"
#include "apps/cli/picture_files.h"
#include "apps/cli/progress.h"
#include "apps/cli/training_line.h"
#include "snellen/base/hash.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kInterrupted = 130;
constexpr int kFailedItems = 4;
constexpr uint64_t kHeldOutBatches = 2;

// Set by the signal handler, the one place where the system leaves no other way.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): see above
std::atomic<bool> stop_requested = false;

void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);  // a second Ctrl-C ends the process at once
}

// One process, or the group that a launcher started this one in.
std::unique_ptr<training::Group> joined_group() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* size = std::getenv(name);
    if (size && std::atoi(size) > 1) return training::join_mpi_group();
  }
  return std::make_unique<training::GroupOfOne>();
}

// All members stop after the same step, or none.
bool agreed_stop(training::Group& group) {
  float votes = stop_requested ? 1.0F : 0.0F;
  group.add_up({&votes, 1});
  return votes > 0;
}

// What decides the weights. Numbers of workers and of checkpoints do not.
std::string stamp_of(const TrainingFlags& flags,
                     const TrainingSetup& setup,
                     const training::Schedule& schedule,
                     const training::SampleSource& samples) {
  const training::LearnerOptions& learner = setup.learner;
  Json stamp = {{"samples", samples.identity()},
                {"seed", flags.seed},
                {"device", learner.device == "cpu" ? "cpu" : "cuda"},
                {"dtype", flags.dtype},
                {"batch_size", flags.batch_size},
                {"accumulate", flags.accumulate},
                {"chunk", flags.chunk},
                {"steps", schedule.num_steps},
                {"warmup_steps", schedule.warmup_steps},
                {"lr", flags.lr},
                {"betas", {learner.beta1, learner.beta2}},
                {"weight_decay", flags.weight_decay},
                {"clip_norm", flags.clip_norm},
                {"ema", flags.ema},
                {"trained", static_cast<int>(learner.trained)},
                {"margin", learner.margin},
                {"weights", {learner.contrastive_weight, learner.contrast_weight}}};
  for (const char* name : {"config.json", "model.safetensors", "pytorch_model.bin"}) {
    std::error_code ignored;
    if (fs::exists(setup.companions / name, ignored))
      stamp["init"][name] = sha256_of_file(setup.companions / name);
  }
  return stamp.dump();
}

std::vector<training::Batch> held_out_batches(const training::SampleSource* source,
                                              const text::Tokenizer& tokenizer,
                                              training::BatchOptions options) {
  std::vector<training::Batch> batches;
  if (!source) return batches;
  options.rank = 0;
  options.num_ranks = 1;
  options.batch_size = std::min<uint64_t>({options.batch_size, source->size(), 128});
  training::BatchMaker maker(*source, tokenizer, options);
  for (uint64_t i = 0; i < std::min(kHeldOutBatches, maker.batches_per_epoch()); ++i)
    batches.push_back(maker.make(i));
  return batches;
}

void print_summary(const Context& context,
                   const TrainingFlags& flags,
                   const training::TrainingSummary& summary,
                   uint64_t num_parameters) {
  if (context.wants_json) {
    Json json = {{"output", flags.output},
                 {"complete", summary.is_complete},
                 {"stopped_early", summary.has_stopped_early},
                 {"steps", summary.num_steps},
                 {"resumed", summary.resumed},
                 {"parameters", num_parameters},
                 {"loss", summary.last_loss},
                 {"replaced", summary.num_replaced},
                 {"reasons", summary.reasons},
                 {"seconds", summary.seconds}};
    if (summary.evaluation)
      json["evaluation"] = {{"loss", summary.evaluation->loss},
                            {"found", summary.evaluation->share_found},
                            {"contrasts", summary.evaluation->share_contrasts}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{} steps, {} weights, last loss {:.4f}, {}\n",
             summary.num_steps,
             num_parameters,
             summary.last_loss,
             shown_time(summary.seconds));
  if (summary.evaluation)
    fmt::print("held out: loss {:.4f}, {:.1f} % of texts found, {:.1f} % of contrasts right\n",
               summary.evaluation->loss,
               100 * summary.evaluation->share_found,
               100 * summary.evaluation->share_contrasts);
  for (const std::string& reason : summary.reasons)
    fmt::print(stderr, "snellen: replaced: {}\n", reason);
  if (summary.num_replaced > 0)
    fmt::print(stderr, "snellen: {} samples could not be read\n", summary.num_replaced);
  if (summary.is_complete) {
    fmt::print("wrote {}\n", flags.output);
  } else {
    fmt::print(stderr, "stopped; the same command continues from step {}\n", summary.num_steps);
  }
}

}  // namespace

std::unique_ptr<media::ImageProcessor> processor_of(const fs::path& folder) {
  return std::make_unique<media::ImageProcessor>(media::read_processor_config(folder));
}

int run_training(const Context& context,
                 const TrainingFlags& flags,
                 const TrainingSetup& setup,
                 const training::SampleSource& samples,
                 const training::SampleSource* held_out) {
  make_folder(flags.output);
  std::unique_ptr<training::Group> group = joined_group();
  auto members = static_cast<uint64_t>(group->size());
  if (setup.samples_per_batch % members != 0)
    throw Error{
        ErrorCode::kUsage,
        fmt::format(
            "{} samples are not shared evenly by {} processes", setup.samples_per_batch, members),
        "--batch-size"};
  std::unique_ptr<const text::Tokenizer> tokenizer = open_tokenizer(context, setup.companions);
  training::BatchOptions batching = {.seed = flags.seed,
                                     .batch_size = setup.samples_per_batch / members,
                                     .num_frames = setup.num_frames,
                                     .max_tokens = tokenizer->facts().model_max_length,
                                     .rank = group->rank(),
                                     .num_ranks = group->size()};
  training::BatchMaker batches(samples, *tokenizer, batching);
  training::TrainingOptions options = {.output = flags.output,
                                       .schedule = schedule_of(flags, batches.batches_per_epoch()),
                                       .accumulate = flags.accumulate,
                                       .checkpoint_every = flags.checkpoint_every,
                                       .evaluate_every = flags.evaluate_every,
                                       .patience = flags.patience,
                                       .num_threads = batch_threads(flags.num_workers, 1024),
                                       .saved_type = saved_type(flags),
                                       .saves_average = flags.ema > 0,
                                       .stamp = {}};
  options.stamp = stamp_of(flags, setup, options.schedule, samples);
  training::Checkpoints checkpoints(flags.output, options.stamp, setup.companions);
  std::optional<training::Checkpointed> resumed = checkpoints.last();
  training::LearnerModule module = open_learner_module(context);
  std::unique_ptr<training::Learner> learner =
      module.make(resumed ? resumed->folder : setup.companions, setup.learner, *group);
  TrainingLine line;
  std::atomic<bool> is_stopped = false;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  training::TrainingRequest request = {.batches = batches,
                                       .samples_per_batch = flags.batch_size,
                                       .held_out = held_out_batches(held_out, *tokenizer, batching),
                                       .on_progress =
                                           [&](const training::TrainingProgress& progress) {
                                             is_stopped = agreed_stop(*group);
                                             if (group->rank() == 0) line.draw(progress);
                                           },
                                       .is_stopped = [&] { return is_stopped.load(); },
                                       .is_writer = group->rank() == 0};
  training::TrainingSummary summary =
      training::train(*learner, options, request, setup.companions, resumed);
  if (group->rank() == 0) print_summary(context, flags, summary, learner->num_parameters());
  if (!summary.is_complete) return kInterrupted;
  return summary.num_replaced > 0 ? kFailedItems : 0;
}

}  // namespace snellen::cli
