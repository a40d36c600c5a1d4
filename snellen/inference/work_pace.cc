// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/work_pace.h"

#include <algorithm>

namespace snellen::inference {

void WorkPace::name(Place place, const char* unit) {
  std::lock_guard lock(mutex_);
  stages_[place].count.unit = unit;
}

void WorkPace::expect(Amount amount, double now) {
  std::lock_guard lock(mutex_);
  if (!has_begun_) since_ = now;
  has_begun_ = true;
  stages_[amount.place].count.total += amount.size;
}

uint64_t WorkPace::begin(Amount amount, double now) {
  std::lock_guard lock(mutex_);
  running_.insert({next_job_, {amount, now}});
  return next_job_++;
}

void WorkPace::end(uint64_t job, double now) {
  std::lock_guard lock(mutex_);
  const auto found = running_.find(job);
  if (found == running_.end()) return;
  Stage& stage = stages_[found->second.amount.place];
  stage.count.done += found->second.amount.size;
  stage.seconds += now - found->second.since;
  last_end_ = now;
  running_.erase(found);
}

models::Model::Ahead WorkPace::ahead(double now) const {
  std::lock_guard lock(mutex_);
  if (!has_begun_) return {};
  models::Model::Ahead ahead{.seconds = now - since_};
  double spent = 0;
  uint64_t num_done = 0;
  for (const Stage& stage : stages_) {
    if (stage.count.total > 0) ahead.counts.push_back(stage.count);
    spent += stage.seconds;
    num_done += stage.count.done;
  }
  if (num_done == 0 || spent <= 0) return ahead;
  // A stage that has not begun is taken to need as long for each as the others: left out, the time
  // left would jump up when it begins.
  const auto seconds_of = [&](Amount amount) {
    const Stage& stage = stages_[amount.place];
    const double one = stage.count.done > 0 ? stage.seconds / static_cast<double>(stage.count.done)
                                            : spent / static_cast<double>(num_done);
    return one * static_cast<double>(amount.size);
  };
  double expected = 0;
  for (size_t place = 0; place < stages_.size(); ++place)
    expected += seconds_of({static_cast<Place>(place), stages_[place].count.total});
  // What is under way counts as far as it has come: of few long jobs it is a large part. But jobs
  // that wait in a queue do not come on together: no more than what ended lets expect since then.
  double under_way = 0;
  for (const auto& [job, running] : running_)
    under_way += std::clamp(now - running.since, 0.0, seconds_of(running.amount));
  const double most = spent / std::max(last_end_ - since_, 1e-9) * (now - last_end_);
  ahead.share = std::min(1.0, (spent + std::min(under_way, most)) / expected);
  return ahead;
}

}  // namespace snellen::inference
