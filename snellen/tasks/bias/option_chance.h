// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace snellen::tasks {

// What guessing gets that knows nothing but how many options a question shows: the mean of 1/n over
// questions (docs/spec/bias.md 4.3).
class OptionChance {
 public:
  void begin_part() { parts_.emplace_back(); }
  // A question of the part that was begun last, with so many options.
  void add(size_t num_options, size_t times = 1);

  // The mean of every part, where it is the same for all.
  std::optional<double> of_parts() const;
  // Of every question, where all have as many options.
  std::optional<double> of_questions() const;

 private:
  struct Mean {
    double sum = 0;
    size_t count = 0;
  };
  std::vector<Mean> parts_;
  size_t fewest_ = 0;  // options of a question
  size_t most_ = 0;
};

}  // namespace snellen::tasks
