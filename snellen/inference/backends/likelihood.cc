// SPDX-License-Identifier: Apache-2.0
// Models of text alone: what is shown does not matter, each distinct text is read once.
#include <cmath>

#include "snellen/metrics/choice/text_likelihood.h"
#include "snellen/inference/feeds.h"
#include "snellen/inference/rows/plan_rows.h"
#include "snellen/inference/backends/backends.h"

namespace snellen::inference {
namespace {

constexpr uint32_t kTextsPerJob = 64;

class LikelihoodBackend : public Backend {
 public:
  explicit LikelihoodBackend(const NetworkParts& parts) : parts_(parts) {}

  TableOptions plan_options() const override {
    return {.has_visuals = false, .has_pairs = false};
  }
  uint32_t visuals_per_job() const override { return 0; }
  uint32_t texts_per_job() const override { return kTextsPerJob; }

  void start(const Table& plan) override {
    plan_ = &plan;
    token_feed_ = std::make_unique<TokenFeed>(plan, parts_);
    texts_ = std::make_unique<PlanRows>(parts_.working_folder, plan.num_texts());
  }

  JobDone work(const Job& job) override {
    JobDone done{.job = job, .width = 1, .values = std::vector<float>(job.end - job.begin)};
    std::vector<models::TokenIds> tokens;
    std::vector<uint32_t> ids;
    for (uint32_t id = job.begin; id < job.end; ++id) {
      models::TokenIds one = token_feed_->tokens(id);
      if (one.size() < 2 && !parts_.is_compat) {
        done.failures.emplace(
            id,
            Error{ErrorCode::kInvalidInput,
                  "a text of one token has no likelihood: nothing comes before it",
                  std::string(plan_->text(id)),
                  "give a longer text"});
        continue;
      }
      tokens.push_back(std::move(one));
      ids.push_back(id);
    }
    if (!tokens.empty()) read_or_split(tokens, ids, done);
    return done;
  }

  void keep(JobDone&& done) override { texts_->keep(done); }

  Result<std::vector<double>> score(const models::Ask& ask) const override {
    std::vector<double> scores;
    for (const models::Cell& cell : ask.cells) {
      uint32_t text = plan_->text_id(cell.text);
      if (const Error* failure = texts_->failure(text)) return *failure;
      scores.push_back(texts_->row(text)[0]);
    }
    return scores;
  }

  models::Shown shown(const models::Ask&) const override {
    return {.kind = questions::ScoreKind::kLogLikelihood, .frames = {}};
  }

  WorkCounts counts() const override {
    WorkCounts counts{.texts = num_texts_, .splits = num_splits_};
    token_feed_->count(counts);
    return counts;
  }
  void note_texts(std::span<const uint32_t> texts) override { (void)token_feed_->tokens(texts); }

 private:
  // Texts that the device has no memory for together are read in halves; a single one that does not
  // fit fails alone.
  void read_or_split(std::span<const models::TokenIds> tokens,
                     std::span<const uint32_t> ids,
                     JobDone& done) {
    try {
      read(tokens, ids, done);
      return;
    } catch (const std::exception& thrown) {
      if (!parts_.has_run_out(thrown)) throw;
    }
    if (ids.size() == 1) {
      done.failures.emplace(ids.front(), too_large(parts_));
      return;
    }
    ++num_splits_;
    const size_t half = ids.size() / 2;
    read_or_split(tokens.first(half), ids.first(half), done);
    read_or_split(tokens.subspan(half), ids.subspan(half), done);
  }

  void read(std::span<const models::TokenIds> tokens,
            std::span<const uint32_t> ids,
            JobDone& done) {
    parts_.check_memory(tokens.size());
    auto texts = parts_.in_network([&] {
      return in_batches(tokens,
                        parts_.network->facts().is_row_exact,
                        [&](std::span<const models::TokenIds> some) {
                          return parts_.network->language()->log_probabilities(some);
                        });
    });
    for (size_t i = 0; i < ids.size(); ++i)
      done.values[ids[i] - done.job.begin] =
          static_cast<float>(log_likelihood(texts[i], parts_.is_compat));
    num_texts_ += ids.size();
  }

  const NetworkParts parts_;
  const Table* plan_ = nullptr;
  std::unique_ptr<TokenFeed> token_feed_;
  std::unique_ptr<PlanRows> texts_;
  std::atomic<uint64_t> num_texts_ = 0;
  std::atomic<uint64_t> num_splits_ = 0;
};

}  // namespace

double log_likelihood(std::span<const double> log_probabilities, bool is_compat) {
  std::span<const double> after_first = log_probabilities.subspan(1);
  return -std::log(is_compat ? metrics::perplexity_compat(after_first)
                             : metrics::perplexity(after_first));
}

std::unique_ptr<Backend> make_likelihood_backend(const NetworkParts& parts) {
  return std::make_unique<LikelihoodBackend>(parts);
}

}  // namespace snellen::inference
