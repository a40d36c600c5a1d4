// SPDX-License-Identifier: Apache-2.0
// Scores from a hash of what is asked, so that every pipeline can be tried without weights.
#include <fmt/format.h>

#include "snellen/base/rng.h"
#include "snellen/models/model.h"

namespace snellen::models {
namespace {

class Fake : public Model {
 public:
  explicit Fake(uint64_t seed) : rng_(Rng(seed).fork("fake")) {}

  std::vector<Identity> identity() const override { return {{"fake", rng_.key()}}; }

  Result<std::vector<double>> score(const Ask& ask) const override {
    std::vector<double> scores;
    scores.reserve(ask.cells.size());
    for (const Cell& cell : ask.cells) {
      scores.push_back(20.0 + 10.0 * rng_.fork(cell.visual).fork(cell.text).u01());
    }
    return scores;
  }

 private:
  Rng rng_;
};

class FakeEntry : public ModelEntry {
 public:
  const ModelFacts& facts() const override { return facts_; }
  std::unique_ptr<Model> open(const ModelRequest& request) const override {
    return std::make_unique<Fake>(request.seed);
  }

 private:
  ModelFacts facts_ = {.name = "fake",
                       .summary = "scores from a hash of image name and text",
                       .usage = "--model fake"};
};

}  // namespace

std::unique_ptr<ModelEntry> make_fake();
std::unique_ptr<ModelEntry> make_fake() {
  return std::make_unique<FakeEntry>();
}

}  // namespace snellen::models
