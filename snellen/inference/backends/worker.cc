// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/backends/backends.h"
#include "snellen/inference/backends/two_rows.h"

namespace snellen::inference {
namespace {

// Requests of a job are sent together.
constexpr uint32_t kRowsPerJob = 8;

class WorkerBackend final : public TwoRowsBackend {
 public:
  explicit WorkerBackend(const models::Worker& worker)
      : TwoRowsBackend(worker.traits().similarity), worker_(worker) {
    const models::WorkerTraits& its = worker.traits();
    SNELLEN_CHECK(!its.answers || !(its.embeds || its.has_independent_scores));
    traits_ = {.table = {.has_visuals = its.looks,
                         .has_pairs = !its.embeds && its.looks && its.has_independent_scores,
                         .has_questions = !its.embeds && !(its.looks && its.has_independent_scores),
                         .has_answers = its.answers,
                         .takes_texts_alone = its.takes_texts_alone,
                         .keeps_items = true},
               .visuals_per_job = its.embeds ? kRowsPerJob : 1,
               .texts_per_job = its.embeds ? kRowsPerJob : 0,
               .has_directions = its.embeds && similarity().is_cosine,
               .kind = its.kind,
               .clip_kind = its.kind};
  }
  const BackendTraits& traits() const override { return traits_; }
  const models::Worker* worker() const override { return &worker_; }

 private:
  const models::Worker& worker_;
  BackendTraits traits_;
};

}  // namespace

std::unique_ptr<Backend> make_worker_backend(const models::Worker& worker) {
  return std::make_unique<WorkerBackend>(worker);
}

}  // namespace snellen::inference
