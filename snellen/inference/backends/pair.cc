// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/backends/backends.h"

namespace snellen::inference {
namespace {

class PairBackend final : public Backend {
 public:
  explicit PairBackend(const NetworkParts& parts) : pair_(*parts.network().pair()) {}
  const BackendTraits& traits() const override { return traits_; }

  models::SeenImages see(const models::PixelsView& pixels) const override {
    return pair_.see(pixels);
  }
  std::vector<double> match(const models::SeenImage& seen,
                            std::span<const models::TokenIds> texts) const override {
    const models::Matrix logits = pair_.match(seen, texts);
    std::vector<double> scores;
    for (size_t i = 0; i < logits.num_rows; ++i)
      scores.push_back(logits.row(i)[pair_.score_column()]);
    return scores;
  }

 private:
  const models::PairScorer& pair_;
  BackendTraits traits_ = {.table = {.has_visuals = true, .has_pairs = true}, .visuals_per_job = 1};
};

}  // namespace

std::unique_ptr<Backend> make_pair_backend(const NetworkParts& parts) {
  return std::make_unique<PairBackend>(parts);
}

}  // namespace snellen::inference
