// SPDX-License-Identifier: Apache-2.0
// What a model in training, or between two others, is asked about pictures by name.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/media/image.h"
#include "snellen/training/learner.h"

namespace snellen::training {

struct ProbeQuestion {
  std::vector<std::string> probes;  // whose shares it counts in: "direction", "direction/opposite"
  std::string cluster;              // what it shares with other questions, usually the picture
  std::vector<std::string> pictures;  // by key, see ProbeSource::picture()
  std::vector<std::string> texts;
  std::vector<Match> asked;      // the scores that decide it: places in pictures and texts
  std::optional<double> chance;  // of being right without looking
  // From one finite score for each that was asked for.
  std::function<Result<Verdict>(std::span<const double> scores)> judge;
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
  // As the model takes it. A key means the same picture in every source.
  virtual Result<media::Image> picture(const std::string& key) const = 0;
};

}  // namespace snellen::training
