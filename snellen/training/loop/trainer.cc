// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/loop/trainer.h"

#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/seconds_since.h"
#include "snellen/formats/json.h"
#include "snellen/models/checkpoint/checkpoint_draft.h"
#include "snellen/training/loop/training_log.h"

namespace snellen::training {
namespace {

constexpr size_t kReasonsKept = 5;

// config.json says of what kind the weights are, under one of two names.
void write_kind(const std::filesystem::path& file, models::ElementType type) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  auto config = formats::parse_ordered_json(read_text_file(file));
  if (!config.is_object()) return;
  const char* name = type == models::ElementType::kF16    ? "float16"
                     : type == models::ElementType::kBF16 ? "bfloat16"
                                                          : "float32";
  for (const char* key : {"dtype", "torch_dtype"}) {
    if (config.contains(key)) config[key] = name;
  }
  write_text_file(file, config.dump(2) + "\n");
}

class Loop {
 public:
  Loop(Learner& learner,
       const TrainingOptions& options,
       const TrainingRequest& request,
       const std::filesystem::path& companions,
       const std::optional<Checkpointed>& resumed)
      : learner_(learner),
        options_(options),
        request_(request),
        companions_(companions),
        checkpoints_(options.output, options.stamp, companions),
        begin_(std::chrono::steady_clock::now()) {
    if (resumed) {
      learner_.read_state(Checkpoints::state_file(resumed->folder), resumed->num_steps);
      summary_.num_replaced = resumed->num_replaced;
      watch_ = resumed->watch;
    }
    summary_.resumed = learner_.num_steps();
    if (request_.is_writer) log_.emplace(options_.output / "train.jsonl", summary_.resumed);
  }

  TrainingSummary run() {
    if (summary_.resumed == 0) evaluate();  // where drift is measured from
    uint64_t first = learner_.num_steps() * options_.accumulate;
    uint64_t last = options_.schedule.num_steps * options_.accumulate;
    ordered_pipeline<Batch>(
        last > first ? last - first : 0,
        options_.num_threads,
        [&](uint64_t i) { return request_.batches.make(first + i); },
        [&](Batch&& batch) { take(std::move(batch)); },
        [&] { return is_ended(); });
    summary_.num_parameters = learner_.num_parameters();
    summary_.num_steps = learner_.num_steps();
    summary_.is_complete =
        summary_.num_steps >= options_.schedule.num_steps || summary_.has_stopped_early;
    if (summary_.is_complete) {
      finish();
    } else {
      write_checkpoint();
    }
    summary_.seconds = seconds();
    return summary_;
  }

 private:
  double seconds() const { return seconds_since(begin_); }
  bool is_ended() const { return summary_.has_stopped_early || request_.is_stopped(); }

  void take(Batch&& batch) {
    // What was begun when the user stopped it is not learnt from.
    if (is_ended()) return;
    count_replaced(batch);
    waiting_.push_back(std::move(batch));
    if (waiting_.size() < options_.accumulate) return;
    step();
    waiting_.clear();
  }

  void count_replaced(const Batch& batch) {
    summary_.num_replaced += batch.num_replaced;
    for (const std::string& reason : batch.reasons) {
      if (summary_.reasons.size() < kReasonsKept) summary_.reasons.push_back(reason);
    }
  }

  void step() {
    uint64_t number = learner_.num_steps();
    double rate = options_.schedule.learning_rate(number);
    StepReport report = learner_.step(waiting_, rate);
    uint64_t done = number + 1;
    auto learnt = static_cast<double>((done - summary_.resumed) * options_.accumulate *
                                      request_.samples_per_batch);
    double samples_per_second = learnt / std::max(seconds(), 1e-9);
    if (log_) log_->add_step(done, report, rate, samples_per_second);
    if (!report.is_finite) refuse(number, report);
    summary_.last_loss = report.loss;
    request_.on_progress({.done = done,
                          .total = options_.schedule.num_steps,
                          .resumed = summary_.resumed,
                          .seconds = seconds(),
                          .loss = report.loss,
                          .learning_rate = rate,
                          .samples_per_second = samples_per_second});
    bool is_last = done == options_.schedule.num_steps;
    auto is_due = [&](uint64_t every) { return every > 0 && done % every == 0 && !is_last; };
    if (is_due(options_.evaluate_every)) watch();
    if (is_due(options_.checkpoint_every)) write_checkpoint();
  }

  void write_checkpoint() {
    if (!request_.is_writer) return;
    log_->flush();  // a training that goes on from here finds the lines of all its steps
    checkpoints_.write(learner_, summary_.num_replaced, watch_);
  }

  [[noreturn]] void refuse(uint64_t number, const StepReport& report) {
    if (log_) log_->flush();
    std::optional<Checkpointed> last = checkpoints_.last();
    uint64_t first_batch = number * options_.accumulate;
    throw Error{
        ErrorCode::kMismatch,
        fmt::format("the loss is {} and the gradient norm {} in step {}",
                    report.loss,
                    report.gradient_norm,
                    number + 1),
        fmt::format("batch {} (epoch {})",
                    first_batch + 1,
                    first_batch / request_.batches.batches_per_epoch() + 1),
        last ? fmt::format("{} holds the last good weights; pass a lower --lr, or --clip-norm 1",
                           last->folder.string())
             : std::string("pass a lower --lr, or --clip-norm 1")};
  }

  void evaluate() {
    const bool has_any = !request_.held_out.empty() || request_.probes;
    if (!request_.is_writer || !has_any || evaluated_at_ == learner_.num_steps()) return;
    evaluated_at_ = learner_.num_steps();
    summary_.evaluation =
        training::evaluate(learner_, request_.held_out, request_.probes, request_.on_asked);
    log_->add_evaluation(learner_.num_steps(), *summary_.evaluation);
    request_.on_evaluation();
  }

  // Evaluates, and ends training when nothing got better for long.
  void watch() {
    evaluate();
    if (options_.patience == 0) return;
    if (summary_.evaluation) watch_.see(options_.watched, *summary_.evaluation);
    summary_.has_stopped_early = request_.agree(watch_.num_worse >= options_.patience);
  }

  void finish() {
    evaluate();
    if (!request_.is_writer) return;
    if (log_) log_->flush();
    models::copy_companions(companions_, options_.output);
    // What may fail for want of room comes before anything that a continued training is known by.
    const std::filesystem::path weights = options_.output / "model.safetensors";
    const std::filesystem::path ready = options_.output / "model.safetensors.ready";
    learner_.write_weights(ready, options_.saved_type, options_.saves_average);
    write_kind(options_.output / "config.json", options_.saved_type);
    rename_into_place(ready, weights);
    if (!options_.keeps_checkpoints) checkpoints_.remove_all();
  }

  Learner& learner_;
  const TrainingOptions& options_;
  const TrainingRequest& request_;
  const std::filesystem::path& companions_;
  Checkpoints checkpoints_;
  std::chrono::steady_clock::time_point begin_;
  std::optional<TrainingLog> log_;
  std::vector<Batch> waiting_;
  EarlyStopping watch_;
  std::optional<uint64_t> evaluated_at_;
  TrainingSummary summary_;
};

}  // namespace

TrainingSummary train(Learner& learner,
                      const TrainingOptions& options,
                      const TrainingRequest& request,
                      const std::filesystem::path& companions,
                      const std::optional<Checkpointed>& resumed) {
  return Loop(learner, options, request, companions, resumed).run();
}

}  // namespace snellen::training
