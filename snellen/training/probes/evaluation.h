// SPDX-License-Identifier: Apache-2.0
// What a model in training can do, by name: how it is watched, and stopped early.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/training/learner.h"
#include "snellen/training/probes/probe_set.h"

namespace snellen::training {

struct EvaluationReport {
  double loss = std::numeric_limits<double>::quiet_NaN();  // of held-out batches; NaN without any
  // "held-out/found" (the text of a picture among all of its batch), "held-out/KIND" for every kind
  // of contrast, and the probes.
  std::vector<metrics::Measurement> scores;
  uint64_t num_failed = 0;  // questions that could not be asked
  std::vector<std::string> reasons = {};

  // Of "loss", or of a score; nothing where it is undefined.
  std::optional<double> value(std::string_view name) const;
};

// Questions, and how the weights of a learner become the model that is asked.
struct Probes {
  ProbeSet set;
  std::function<std::unique_ptr<models::Model>(const Learner& learner)> open;
  unsigned num_threads = 1;
};

// `probes` may be null. `observe` is told after every batch and question.
EvaluationReport evaluate(
    Learner& learner,
    std::span<const Batch> held_out,
    const Probes* probes,
    const ObserveEvaluation& observe = [](uint64_t, uint64_t) {});

// The names of what evaluate() will give, "loss" first where there are batches.
std::vector<std::string> watchable_names(std::span<const Batch> held_out, const Probes* probes);

// Whether training still gets better, by the loss or by a score of which the higher is better.
struct EarlyStopping {
  std::optional<double> best;
  uint64_t num_worse = 0;  // evaluations since then

  // Takes an evaluation in; an undefined value is no better.
  void see(std::string_view name, const EvaluationReport& report);
  bool operator==(const EarlyStopping&) const = default;
};

}  // namespace snellen::training
