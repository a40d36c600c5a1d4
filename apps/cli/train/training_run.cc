// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/training_run.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/media/picture_files.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/train/training_line.h"
#include "apps/cli/train/training_summary.h"
#include "snellen/base/files.h"
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

// Whether any member says so, in all of them.
bool agreed(training::Group& group, bool here) {
  float votes = here ? 1.0F : 0.0F;
  group.add_up({&votes, 1});
  return votes > 0;
}

uint64_t evaluate_every(const training::TrainingSettings& flags,
                        const training::Schedule& schedule) {
  return flags.evaluate_every.value_or((schedule.num_steps + 9) / 10);
}

// What decides the weights. Numbers of workers and of checkpoints do not.
std::string stamp_of(const training::TrainingSettings& flags,
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
  // What is watched decides when training ends.
  if (flags.patience > 0) {
    stamp["stopping"] = {flags.stop_on, flags.patience, evaluate_every(flags, schedule)};
    for (const std::string& file : flags.probe_files)
      stamp["probes"].push_back(fs::exists(file) ? sha256_of_file(file) : file);
  }
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

// What the model is asked at every evaluation; null when nothing is.
std::unique_ptr<const training::ProbeSet> probes_of(const Context& context,
                                                    const training::TrainingSettings& flags,
                                                    const TrainingSetup& setup,
                                                    const text::Tokenizer& tokenizer,
                                                    size_t max_tokens) {
  if (!setup.processor) {
    if (flags.probe_files.empty()) return nullptr;
    throw Error{ErrorCode::kUsage,
                "this architecture is not asked about pictures",
                "--probe",
                "leave it out: the held-out loss is measured without it"};
  }
  std::vector<std::unique_ptr<training::ProbeSource>> sources;
  if (setup.asks_world || flags.wants_held_out_world())
    sources.push_back(held_out_probe(flags, *setup.processor, /*is_naming_alone=*/false));
  for (auto& source : file_probes(context, flags, *setup.processor))
    sources.push_back(std::move(source));
  if (sources.empty()) return nullptr;
  return std::make_unique<training::ProbeSet>(
      std::move(sources),
      tokenizer,
      training::ProbeSetOptions{.max_tokens = max_tokens,
                                .num_threads = batch_threads(flags.num_workers, 1024)});
}

void check_watched(const training::TrainingSettings& flags,
                   std::span<const training::Batch> held_out,
                   const training::ProbeSet* probes) {
  if (flags.patience == 0) return;
  const std::vector<std::string> known = training::watchable_names(held_out, probes);
  if (std::find(known.begin(), known.end(), flags.stop_on) == known.end())
    throw Error{ErrorCode::kUsage,
                fmt::format("nothing called '{}' is evaluated", flags.stop_on),
                "--stop-on",
                known.empty() ? std::string("name items with --probe")
                              : fmt::format("known are {}", fmt::join(known, ", "))};
}

training::TrainingOptions options_of(const training::TrainingSettings& flags,
                                     const TrainingSetup& setup,
                                     const training::BatchMaker& batches,
                                     const training::SampleSource& samples) {
  training::TrainingOptions options;
  options.output = flags.output;
  options.schedule = schedule_of(flags, batches.batches_per_epoch());
  options.accumulate = flags.accumulate;
  options.checkpoint_every = flags.checkpoint_every;
  options.evaluate_every = evaluate_every(flags, options.schedule);
  options.patience = flags.patience;
  options.watched = flags.stop_on;
  options.keeps_checkpoints = flags.keeps_checkpoints;
  options.num_threads = batch_threads(flags.num_workers, 1024);
  options.saved_type = saved_type(flags);
  options.saves_average = flags.ema > 0;
  options.stamp = stamp_of(flags, setup, options.schedule, samples);
  return options;
}

}  // namespace

std::unique_ptr<media::ImageProcessor> processor_of(const fs::path& folder) {
  return std::make_unique<media::ImageProcessor>(media::read_processor_config(folder));
}

int run_training(const Context& context,
                 const training::TrainingSettings& flags,
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
  const training::TrainingOptions options = options_of(flags, setup, batches, samples);
  training::Checkpoints checkpoints(flags.output, options.stamp, setup.companions);
  std::optional<training::Checkpointed> resumed = checkpoints.last();
  std::vector<training::Batch> held_out_set = held_out_batches(held_out, *tokenizer, batching);
  std::unique_ptr<const training::ProbeSet> probes =
      probes_of(context, flags, setup, *tokenizer, batching.max_tokens);
  check_watched(flags, held_out_set, probes.get());
  training::LearnerModule module = open_learner_module(context);
  std::unique_ptr<training::Learner> learner =
      module.make(resumed ? resumed->folder : setup.companions, setup.learner, *group);
  TrainingLine line;
  std::atomic<bool> is_stopped = false;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  training::TrainingRequest request = {
      .batches = batches,
      .samples_per_batch = flags.batch_size,
      .held_out = std::move(held_out_set),
      .probes = probes.get(),
      .on_progress =
          [&](const training::TrainingProgress& progress) {
            // All stop after the same step, or none.
            is_stopped = agreed(*group, stop_requested);
            if (group->rank() == 0) line.draw(progress);
          },
      .is_stopped = [&] { return is_stopped.load(); },
      .on_asked = [&](uint64_t done, uint64_t total) { line.draw_evaluation(done, total); },
      .on_evaluation = [&] { write_curves(flags.output); },
      .is_writer = group->rank() == 0,
      .agree = [&](bool here) { return agreed(*group, here); }};
  training::TrainingSummary summary =
      training::train(*learner, options, request, setup.companions, resumed);
  if (group->rank() == 0)
    print_summary(context, flags, summary, write_curves(flags.output), learner->num_parameters());
  if (!summary.is_complete) return kInterrupted;
  return summary.num_replaced > 0 ? kFailedItems : 0;
}

}  // namespace snellen::cli
