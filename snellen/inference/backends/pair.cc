// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "snellen/inference/backends/backends.h"
#include "snellen/models/pooled_trace.h"

namespace snellen::inference {
namespace {

// Keeps what the head is given.
class PooledTrace final : public models::Trace {
 public:
  void record(std::string_view name,
              std::span<const int64_t> shape,
              std::span<const float> all) override {
    (void)shape;
    if (name == models::kPooledTrace) values.assign(all.begin(), all.end());
  }
  std::vector<float> values;
};

class PairBackend final : public Backend {
 public:
  explicit PairBackend(const NetworkParts& parts)
      : pair_(*parts.network().pair()), itm_score_(parts.rules.itm_score) {}
  const BackendTraits& traits() const override { return traits_; }

  models::SeenImages see(const models::PixelsView& pixels) const override {
    return pair_.see(pixels);
  }
  std::vector<double> match(const models::SeenImage& seen,
                            std::span<const models::TokenIds> texts) const override {
    const models::Matrix logits = pair_.match(seen, texts);
    std::vector<double> scores;
    for (size_t i = 0; i < logits.num_rows; ++i) scores.push_back(score_of(logits.row(i)));
    return scores;
  }

  bool has_joint_features() const override { return true; }
  std::vector<float> joint_features(const models::SeenImage& seen,
                                    const models::TokenIds& text) const override {
    PooledTrace pooled;
    pair_.match(seen, std::span(&text, 1), &pooled);
    return std::move(pooled.values);
  }

 private:
  double score_of(std::span<const float> logits) const {
    const double match = logits[pair_.score_column()];
    if (itm_score_ == "match") return match;
    if (logits.size() != 2)
      throw Error{
          ErrorCode::kUsage,
          fmt::format("this model has {} logit, and {} needs two", logits.size(), itm_score_),
          "--itm-score",
          "take --itm-score match"};
    const double margin = match - logits[1 - pair_.score_column()];
    return itm_score_ == "margin" ? margin : 1 / (1 + std::exp(-margin));
  }

  const models::PairScorer& pair_;
  const std::string itm_score_;
  BackendTraits traits_ = {.table = {.has_visuals = true, .has_pairs = true}, .visuals_per_job = 1};
};

}  // namespace

std::unique_ptr<Backend> make_pair_backend(const NetworkParts& parts) {
  return std::make_unique<PairBackend>(parts);
}

}  // namespace snellen::inference
