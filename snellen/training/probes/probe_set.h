// SPDX-License-Identifier: Apache-2.0
// Questions of several sources, asked together: the model works on each distinct picture and text
// once, whatever asks about it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/models/model.h"
#include "snellen/training/probes/probe_question.h"

namespace snellen::training {

struct ProbeReport {
  std::vector<metrics::Measurement> scores;  // one for each name, value NaN when none was asked
  uint64_t num_failed = 0;                   // questions that could not be asked
  std::vector<std::string> reasons;          // of the first few
};

// Told after every question of an evaluation.
using ObserveEvaluation = std::function<void(uint64_t done, uint64_t total)>;

// Const methods are safe from many threads.
class ProbeSet {
 public:
  // Throws kUsage when two sources give questions of one name, and kInvalidInput for a source of
  // which not one question can be read.
  explicit ProbeSet(std::vector<std::unique_ptr<ProbeSource>> sources);

  // In the order of the sources.
  const std::vector<std::string>& names() const { return names_; }
  uint64_t size() const { return begins_.back(); }

  // Asks everything. A score that is not finite, or a picture that cannot be read, fails its
  // question alone. Nothing depends on the number of threads.
  ProbeReport ask(models::Model& model,
                  unsigned num_threads,
                  const ObserveEvaluation& observe = {}) const;

 private:
  struct Asked;
  void survey(uint32_t source);
  Result<ProbeQuestion> question(uint64_t number, uint32_t& source) const;
  Asked ask_one(const models::Model& model, uint64_t number) const;

  std::vector<std::unique_ptr<ProbeSource>> sources_;
  std::vector<std::string> names_;
  std::vector<uint64_t> begins_;  // of each source's questions among all, and the end
};

}  // namespace snellen::training
