// SPDX-License-Identifier: Apache-2.0
// The tasks of a run and, for `--control`, the same tasks under every control that model and task
// can take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "snellen/metrics/control/control_report.h"
#include "snellen/models/model.h"
#include "snellen/run/control/rung.h"
#include "snellen/run/plan.h"
#include "snellen/store/samples.h"

namespace snellen::run {

struct Ladder {
  // Everything that is scored: the run's own tasks, then those of each rung.
  std::vector<OpenTask> tasks = {};
  // Where the samples of each of these go: folder 0 is the run's own, folder i + 1 that of rung i.
  struct Place {
    size_t folder = 0;
    uint32_t task = 0;  // its number there
  };
  std::vector<Place> places = {};
  struct Step {
    Rung rung;
    std::vector<OpenTask> tasks = {};  // as a run of its own would have them
  };
  std::vector<Step> rungs = {};  // those with a task
  std::vector<std::string> asked = {};
  std::vector<metrics::RungLeftOut> left_out = {};
};

// Throws kUsage for controls that are not known, and for a model whose answers cannot change.
Ladder ladder_of(const std::vector<OpenTask>& tasks,
                 const RunSettings& settings,
                 const models::Model& model);

// The samples of all folders of a ladder, seen as those of one run with all of its tasks.
class LadderSamples {
 public:
  LadderSamples(const Ladder& ladder, std::vector<store::Samples*> folders)
      : places_(ladder.places), folders_(std::move(folders)) {}

  // Rows of each folder whole or not at all.
  void add(std::vector<store::Sample>& rows);
  std::vector<bool> done(uint32_t task, uint64_t num_items) {
    return of(task).done(places_[task].task, num_items);
  }
  store::SampleCounts counts(uint32_t task) { return of(task).counts(places_[task].task); }

 private:
  store::Samples& of(uint32_t task) { return *folders_[places_[task].folder]; }

  const std::vector<Ladder::Place>& places_;
  std::vector<store::Samples*> folders_;
};

}  // namespace snellen::run
