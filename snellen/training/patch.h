// SPDX-License-Identifier: Apache-2.0
// Weights between those of an original and of a fine-tuned model: written for every alpha, and each
// asked the same questions where there are any.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/inference/session.h"
#include "snellen/metrics/measurement.h"
#include "snellen/models/checkpoint/weight_blend.h"
#include "snellen/training/probe_tasks.h"
#include "snellen/training/settings.h"

namespace snellen::training {

struct PatchedModel {
  double alpha = 0;
  std::filesystem::path folder;
  models::BlendReport blend;
  std::vector<metrics::Measurement> scores = {};  // none where nothing is asked
};

struct PatchRequest {
  inference::Installation installation;
  std::vector<ProbeTask> probes;
  std::function<void(std::string_view what, uint64_t done, uint64_t total)> observe;
  std::function<void(const PatchedModel& model)> on_model;  // when it is written and was asked
};

struct PatchSummary {
  std::filesystem::path original;
  std::vector<PatchedModel> models;  // in the order of the alphas
  // Of the original itself; empty where nothing is asked.
  std::vector<metrics::Measurement> original_scores = {};
  uint64_t num_failed = 0;           // questions that could not be asked of some model
  std::vector<std::string> reasons;  // of the first of them
  std::vector<Error> bad_records;    // of the instances file
};

// Writes a folder for each alpha: at settings.output, or below it where settings.alphas is set.
// Throws kUsage when settings.best_of names no probe, before anything is written.
PatchSummary patch(const PatchSettings& settings,
                   std::span<const double> alphas,
                   PatchRequest request);

}  // namespace snellen::training
