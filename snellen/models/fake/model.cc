// SPDX-License-Identifier: Apache-2.0
// Scores from a hash of what is asked, so that every pipeline can be tried without weights.
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/parse_number.h"
#include "snellen/base/rng.h"
#include "snellen/models/model.h"

namespace snellen::models {
namespace {

class Fake : public Model {
 public:
  Fake(uint64_t seed, std::chrono::microseconds wait) : rng_(Rng(seed).fork("fake")), wait_(wait) {}

  std::vector<Identity> identity() const override { return {{"fake", rng_.key()}}; }

  Result<questions::Scores> score(const Ask& ask) const override {
    if (wait_.count() > 0) std::this_thread::sleep_for(wait_);
    questions::Scores scores{.values = std::vector<double>(ask.num_scores())};
    const questions::Visual nothing = {};
    size_t next = 0;
    for (const questions::Question& question : ask.questions) {
      const questions::Visual* visual = ask.shown(question);
      const Rng shown = rng_.fork(questions::shown_name(visual ? *visual : nothing, question));
      for (size_t i = 0; i < questions::num_scores(question); ++i)
        scores.values[questions::place_of(question, i, next)] =
            20.0 + 10.0 * shown.fork((*ask.texts)[question.texts[i]].prompt).u01();
      next += questions::num_scores(question);
    }
    return scores;
  }

 private:
  Rng rng_;
  std::chrono::microseconds wait_;
};

constexpr std::string_view kWait = "wait=";

// "wait=500": as slow as a model that takes 500 microseconds per item.
std::chrono::microseconds wait_of(std::string_view argument) {
  if (argument.empty()) return {};
  constexpr uint32_t kMost = 60'000'000;
  std::optional<uint32_t> micros;
  if (argument.starts_with(kWait)) micros = parse_number<uint32_t>(argument.substr(kWait.size()));
  if (!micros || *micros > kMost)
    throw Error{ErrorCode::kUsage,
                "the fake model takes nothing but wait=MICROSECONDS, at most a minute",
                "--model",
                "for example --model fake:wait=500"};
  return std::chrono::microseconds(*micros);
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
