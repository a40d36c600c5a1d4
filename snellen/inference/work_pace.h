// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>

#include "snellen/models/model.h"

namespace snellen::inference {

// How far the work ahead of the answers is, and which share of its time has passed. Seconds are
// those of one clock, whatever its zero. Safe from many threads.
class WorkPace {
 public:
  enum Place : size_t { kImages, kTexts, kPairs, kNumPlaces };
  struct Amount {
    Place place;
    uint64_t size;
  };

  void name(Place place, const char* unit);
  // More to do; the first call begins.
  void expect(Amount amount, double now);
  // A job begins; what comes back ends it.
  uint64_t begin(Amount amount, double now);
  void end(uint64_t job, double now);

  models::Model::Ahead ahead(double now) const;

 private:
  struct Stage {
    models::Model::Ahead::Count count;
    double seconds = 0;  // of all threads, of the jobs that ended
  };
  struct Running {
    Amount amount;
    double since;
  };

  mutable std::mutex mutex_;  // guards all below
  bool has_begun_ = false;
  double since_ = 0;
  double last_end_ = 0;
  std::array<Stage, kNumPlaces> stages_ = {Stage{{"images"}}, Stage{{"texts"}}, Stage{{"pairs"}}};
  std::map<uint64_t, Running> running_;
  uint64_t next_job_ = 0;
};

}  // namespace snellen::inference
