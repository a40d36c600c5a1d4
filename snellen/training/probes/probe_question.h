// SPDX-License-Identifier: Apache-2.0
// What a model in training, or between two others, is asked about pictures by name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/questions/question.h"
#include "snellen/training/learner.h"

namespace snellen::training {

struct ProbeQuestion {
  std::vector<std::string> probes;  // whose shares it counts in: "direction", "direction/opposite"
  std::string cluster;              // what it shares with other questions, usually the picture
  std::vector<questions::Visual> visuals = {};
  questions::Texts texts = {};
  std::vector<questions::Question> questions = {};
  std::optional<double> chance = {};  // of being right without looking
  std::function<Result<Verdict>(const questions::Scores& scores)> judge = {};
};

// The first of several scores is right, and right when it is above all others.
Verdict first_wins(std::span<const double> scores);

// Where questions come from. Const methods are safe from many threads, and equal for equal
// arguments.
class ProbeSource {
 public:
  virtual ~ProbeSource() = default;
  virtual uint64_t size() const = 0;
  // An Error for one that cannot be asked.
  virtual Result<ProbeQuestion> question(uint64_t index) const = 0;
};

}  // namespace snellen::training
