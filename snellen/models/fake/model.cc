// SPDX-License-Identifier: Apache-2.0
// Scores from a hash of what is asked, so that every pipeline can be tried without weights.
#include <charconv>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/rng.h"
#include "snellen/models/model.h"

namespace snellen::models {
namespace {

class Fake : public Model {
 public:
  Fake(uint64_t seed, std::chrono::microseconds wait) : rng_(Rng(seed).fork("fake")), wait_(wait) {}

  std::vector<Identity> identity() const override { return {{"fake", rng_.key()}}; }

  Result<std::vector<double>> score(const Ask& ask) const override {
    if (wait_.count() > 0) std::this_thread::sleep_for(wait_);
    std::vector<double> scores;
    scores.reserve(ask.cells.size());
    for (const Cell& cell : ask.cells) {
      scores.push_back(20.0 + 10.0 * rng_.fork(cell.visual).fork(cell.text).u01());
    }
    return scores;
  }

 private:
  Rng rng_;
  std::chrono::microseconds wait_;
};

constexpr std::string_view kWait = "wait=";

// "wait=500": as slow as a model that takes 500 microseconds an item.
std::chrono::microseconds wait_of(std::string_view argument) {
  if (argument.empty()) return {};
  constexpr uint32_t kMost = 60'000'000;
  uint32_t micros = 0;
  bool is_good = argument.starts_with(kWait);
  if (is_good) {
    argument.remove_prefix(kWait.size());
    const char* end = argument.data() + argument.size();
    auto [stop, code] = std::from_chars(argument.data(), end, micros);
    is_good = code == std::errc() && stop == end && micros <= kMost;
  }
  if (!is_good)
    throw Error{ErrorCode::kUsage,
                "the fake model takes nothing but wait=MICROSECONDS, at most a minute",
                "--model",
                "for example --model fake:wait=500"};
  return std::chrono::microseconds(micros);
}

class FakeEntry : public ModelEntry {
 public:
  const ModelFacts& facts() const override { return facts_; }
  std::unique_ptr<Model> open(const ModelRequest& request) const override {
    return std::make_unique<Fake>(request.seed, wait_of(request.argument));
  }

 private:
  ModelFacts facts_ = {.name = "fake",
                       .summary = "scores from a hash of image name and text",
                       .usage = "--model fake, or fake:wait=MICROSECONDS for a slow one"};
};

}  // namespace

std::unique_ptr<ModelEntry> make_fake();
std::unique_ptr<ModelEntry> make_fake() {
  return std::make_unique<FakeEntry>();
}

}  // namespace snellen::models
