// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/session.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/cores.h"
#include "snellen/base/error.h"
#include "snellen/base/file_lock.h"
#include "snellen/base/files.h"
#include "snellen/models/checkpoint/checkpoint_draft.h"
#include "snellen/text/tokenizers/load_tokenizer.h"
#include "snellen/training/data/batch_maker.h"
#include "snellen/training/learner_module.h"
#include "snellen/training/probes/task_probe.h"
#include "snellen/training/probes/world_probe.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kHeldOutBatches = 2;

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed && fs::is_directory(folder, failed)) return;
  throw Error{ErrorCode::kIo,
              fmt::format("cannot make this folder: {}", failed ? failed.message() : "a file"),
              folder.string(),
              "name another --output"};
}

// Held by rank 0 while it writes there; what a killed training left half written is removed.
std::optional<FileLock> lock_folder(const fs::path& output, const dist::Group& group) {
  std::error_code ignored;
  const bool can_be_made = !fs::exists(output, ignored) && group.rank() == 0;
  // The lock makes the folder, and takes it away again when the training is refused.
  if (!can_be_made) make_folder(output);
  if (group.rank() != 0) return std::nullopt;
  FileLock lock(output / "train.lock", "wait until it has ended, or name another --output");
  remove_half_written_in(output);
  return lock;
}

models::ElementType element_type_of(const std::string& dtype) {
  if (dtype == "fp16") return models::ElementType::kF16;
  return dtype == "bf16" ? models::ElementType::kBF16 : models::ElementType::kF32;
}

BatchOptions batch_options(const TrainingSettings& settings,
                           const TrainingSetup& setup,
                           const text::Tokenizer& tokenizer,
                           const dist::Group& group) {
  auto num_ranks = static_cast<uint64_t>(group.size());
  if (setup.samples_per_batch % num_ranks != 0)
    throw Error{
        ErrorCode::kUsage,
        fmt::format(
            "{} processes cannot share {} samples evenly", num_ranks, setup.samples_per_batch),
        "--batch-size"};
  return {.seed = settings.seed,
          .batch_size = setup.samples_per_batch / num_ranks,
          .num_frames = setup.num_frames,
          .max_tokens = tokenizer.facts().model_max_length,
          .rank = group.rank(),
          .num_ranks = group.size()};
}

std::vector<Batch> evaluated_batches(const SampleSource* source,
                                     const text::Tokenizer& tokenizer,
                                     BatchOptions options,
                                     std::string_view set) {
  std::vector<Batch> batches;
  if (source == nullptr) return batches;
  options.rank = 0;
  options.num_ranks = 1;
  options.batch_size = std::min<uint64_t>({options.batch_size, source->size(), 128});
  BatchMaker maker(*source, tokenizer, options);
  for (uint64_t i = 0; i < std::min(kHeldOutBatches, maker.batches_per_epoch()); ++i) {
    batches.push_back(maker.make(i));
    batches.back().set = set;
  }
  return batches;
}

void check_watched(const TrainingSettings& settings,
                   std::span<const Batch> held_out,
                   const Probes* probes) {
  if (settings.patience == 0) return;
  const std::vector<std::string> known = watchable_names(held_out, probes);
  if (std::find(known.begin(), known.end(), settings.stop_on) == known.end())
    throw Error{ErrorCode::kUsage,
                fmt::format("no evaluation is called '{}'", settings.stop_on),
                "--stop-on",
                known.empty() ? std::string("name items with --probe")
                              : fmt::format("known are {}", fmt::join(known, ", "))};
}

TrainingOptions options_of(const TrainingSettings& settings,
                           const TrainingSetup& setup,
                           uint64_t batches_per_epoch) {
  TrainingOptions options;
  options.output = settings.output;
  options.schedule = schedule_of(settings, batches_per_epoch);
  options.accumulate = settings.accumulate;
  options.checkpoint_every = settings.checkpoint_every;
  options.evaluate_every = settings.evaluate_every.value_or((options.schedule.num_steps + 9) / 10);
  options.patience = settings.patience;
  options.watched = settings.stop_on;
  options.keeps_checkpoints = settings.keeps_checkpoints;
  options.saved_type = element_type_of(settings.saved_dtype);
  options.saves_average = settings.ema > 0;
  options.stamp = stamp_of(settings, setup, options.schedule, options.evaluate_every);
  return options;
}

}  // namespace

TrainingSummary Session::train(const TrainSettings& settings) {
  const std::optional<FileLock> lock = lock_folder(settings.output, request_.group);
  return run(settings, train_setup(settings, first_folder(settings, request_.group)));
}

TrainingSummary Session::finetune(const FinetuneSettings& settings) {
  const std::optional<FileLock> lock = lock_folder(settings.output, request_.group);
  return run(settings, finetune_setup(settings));
}

unsigned Session::threads_of(unsigned asked) const {
  if (asked > 0) return asked;
  if (request_.group.size() > 1)
    return static_cast<unsigned>(dist::cores_per_rank(request_.group.local_size()));
  return num_cores();
}

std::unique_ptr<const Probes> Session::make_probes(const TrainingSettings& settings,
                                                   const TrainingSetup& setup) {
  if (!setup.can_ask_probes) {
    if (settings.probe_files.empty()) return nullptr;
    throw Error{ErrorCode::kUsage,
                "this architecture cannot be asked about images",
                "--probe",
                "leave it out: the held-out loss is measured without it"};
  }
  std::vector<std::unique_ptr<ProbeSource>> sources;
  if (setup.asks_held_out_world || settings.wants_held_out_world())
    sources.push_back(
        world_probe({.seed = held_out_scenes().seed, .num_scenes = settings.probe_scenes}));
  for (ProbeTask& probe : request_.probes)
    sources.push_back(task_probe(std::move(probe.task), probe.file));
  if (sources.empty()) return nullptr;
  inference::FolderRequest request;
  request.network.device = setup.learner.device;
  request.driver.num_threads = threads_of(settings.num_workers);
  request.driver.working_folder = settings.output;
  request.uses_cache = false;
  auto open = [this, request, companions = setup.companions, is_averaged = settings.ema > 0](
                  const Learner& learner) mutable {
    const models::CheckpointDraft draft(request.driver.working_folder / "evaluated");
    models::copy_companions(companions, draft.folder());
    learner.write_weights(
        draft.folder() / "model.safetensors", models::ElementType::kF32, is_averaged);
    request.network.model = draft.folder().string();
    return inference::open_folder(request_.installation, request);
  };
  return std::make_unique<Probes>(
      Probes{ProbeSet(std::move(sources)), std::move(open), request.driver.num_threads});
}

TrainingSummary Session::run(const TrainingSettings& settings, TrainingSetup setup) {
  dist::Group& group = request_.group;
  setup.learner.num_threads = threads_of(settings.torch_threads);
  if (request_.gpu && setup.learner.device == "cuda")
    setup.learner.device = fmt::format("cuda:{}", *request_.gpu);
  const std::unique_ptr<const text::Tokenizer> tokenizer =
      text::load_tokenizer({.folder = setup.companions,
                            .family = {},
                            .clip_vocabulary = request_.installation.clip_vocabulary});
  const BatchOptions batching = batch_options(settings, setup, *tokenizer, group);
  const BatchMaker batches(*setup.samples, *tokenizer, batching);
  TrainingOptions options = options_of(settings, setup, batches.batches_per_epoch());
  options.num_threads = threads_of(settings.num_workers);
  const std::optional<Checkpointed> resumed =
      Checkpoints(settings.output, options.stamp, setup.companions).last();
  const std::unique_ptr<const Probes> probes = make_probes(settings, setup);
  std::vector<Batch> held_out =
      evaluated_batches(setup.held_out.get(), *tokenizer, batching, "held-out");
  // Beside them, the same of what is learnt from: the difference is what was learnt by heart.
  for (Batch& batch : evaluated_batches(setup.learnt.get(), *tokenizer, batching, "learnt"))
    held_out.push_back(std::move(batch));
  check_watched(settings, held_out, probes.get());
  const LearnerModule module(inference::prepared_module(request_.installation));
  const std::unique_ptr<Learner> learner =
      module.make(resumed ? resumed->folder : setup.companions, setup.learner, group);
  std::atomic<bool> is_stopped = false;
  const TrainingRequest request = {.batches = batches,
                                   .samples_per_batch = settings.batch_size,
                                   .held_out = std::move(held_out),
                                   .probes = probes.get(),
                                   .on_progress =
                                       [&](const TrainingProgress& progress) {
                                         // All stop after the same step, or none.
                                         is_stopped = dist::any_of(group, request_.is_stopped());
                                         if (group.rank() == 0) request_.on_progress(progress);
                                       },
                                   .is_stopped = [&] { return is_stopped.load(); },
                                   .on_asked = request_.on_asked,
                                   .on_evaluation = request_.on_evaluation,
                                   .is_writer = group.rank() == 0,
                                   .agree = [&](bool here) { return dist::any_of(group, here); }};
  return training::train(*learner, options, request, setup.companions, resumed);
}

}  // namespace snellen::training
