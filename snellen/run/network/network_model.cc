// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/network_model.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/ordered_pipeline.h"
#include "snellen/run/network/frontier.h"

namespace snellen::run {
namespace {

class NetworkModel : public models::Model {
 public:
  NetworkModel(OpenedNetwork opened, const NetworkModelOptions& options)
      : opened_(std::move(opened)), num_threads_(options.num_threads) {
    parts_ = {.network = opened_.network.get(),
              .tokenizer = opened_.tokenizer.get(),
              .processor = opened_.processor.get(),
              .head = options.head.empty() ? opened_.network->facts().heads.front() : options.head,
              .is_compat = options.is_compat,
              .masks_clips = options.masks_clips,
              .is_on_gpu = options.is_on_gpu,
              .working_folder = options.working_folder};
    scorer_ = make_scorer(parts_);
  }
  // Work that nobody waits for any more is given up.
  ~NetworkModel() override { is_given_up_ = true; }

  std::vector<Identity> identity() const override {
    std::vector<Identity> all = opened_.identity;
    for (const models::NetworkFact& fact : parts_.network->facts().stamp)
      all.push_back({fact.name, fact.value});
    all.push_back({"score", parts_.head});
    return all;
  }

  void prepare(const models::AskSource& asks, const std::function<bool()>& is_stopped) override {
    plan_ = std::make_unique<AskPlan>(asks, scorer_->plan_options());
    scorer_->start(*plan_);
    worker_ = std::jthread([this, is_stopped] { work_ahead(is_stopped); });
  }

  Result<std::vector<double>> score(const models::Ask& ask) const override {
    Frontier::Needs needs;
    for (const models::Cell& cell : ask.cells) {
      if (scorer_->visuals_a_job() > 0)
        needs.visuals = std::max(needs.visuals, plan_->visual_id(ask, cell.visual) + 1);
      if (scorer_->texts_a_job() > 0)
        needs.texts = std::max(needs.texts, plan_->text_id(cell.text) + 1);
    }
    if (!frontier_.wait(needs)) throw models::Stopped();
    // A visual with the bytes of another is answered by that one, which may come a little later.
    for (const models::Cell& cell : ask.cells) {
      if (scorer_->visuals_a_job() > 0)
        needs.visuals =
            std::max(needs.visuals, scorer_->stands_for(plan_->visual_id(ask, cell.visual)) + 1);
    }
    if (!frontier_.wait(needs)) throw models::Stopped();
    return scorer_->score(ask);
  }

  models::Shown shown(const models::Ask& ask) const override { return scorer_->shown(ask); }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = parts_.network->facts().warnings;
    if (!plan_) return notes;
    WorkCounts counts = scorer_->counts();
    notes.insert(
        notes.end(),
        {fmt::format("{} asked for {} scores over {} distinct visuals and {} distinct texts",
                     plan_->num_asks(),
                     plan_->num_cells(),
                     plan_->num_visuals(),
                     plan_->num_texts()),
         fmt::format(
             "{} decoded, {} visuals and {} texts through the network, {} pairs, {} visuals "
             "had the bytes of another",
             counts.decoded,
             counts.visuals,
             counts.texts,
             counts.pairs,
             counts.same_content)});
    if (counts.num_truncated > 0) {
      notes.push_back(
          fmt::format("{} texts were longer than the model takes and were cut, among "
                      "them: {}",
                      counts.num_truncated,
                      fmt::join(counts.truncated, " | ")));
    }
    return notes;
  }

 private:
  void work_ahead(const std::function<bool()>& is_stopped) {
    std::vector<Job> jobs = plan_->jobs(scorer_->visuals_a_job(), scorer_->texts_a_job());
    try {
      ordered_pipeline<JobDone>(
          jobs.size(),
          num_threads_,
          [&](uint64_t index) { return scorer_->work(jobs[index]); },
          [&](JobDone&& done) {
            Job job = done.job;
            scorer_->keep(std::move(done));
            frontier_.advance(job);
          },
          [&] { return is_given_up_ || (is_stopped && is_stopped()); });
      frontier_.close(nullptr);
    } catch (...) {
      frontier_.close(std::current_exception());
    }
  }

  OpenedNetwork opened_;
  NetworkParts parts_;
  unsigned num_threads_;
  std::unique_ptr<Scorer> scorer_;
  std::unique_ptr<AskPlan> plan_;
  Frontier frontier_;
  std::atomic<bool> is_given_up_ = false;
  std::jthread worker_;  // last: joined before the rest goes
};

}  // namespace

std::unique_ptr<models::Model> make_network_model(OpenedNetwork opened,
                                                  const NetworkModelOptions& options) {
  return std::make_unique<NetworkModel>(std::move(opened), options);
}

}  // namespace snellen::run
