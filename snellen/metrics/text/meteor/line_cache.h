// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/metrics/text/meteor/line.h"
#include "snellen/text/meteor/normalizer.h"

namespace snellen::metrics::meteor {

// Lines by their text, because references come back: short ones that were read lately are kept.
// Memory is bounded. One thread at a time.
class LineCache {
 public:
  explicit LineCache(std::shared_ptr<const text::meteor::MeteorData> data);

  // The hypothesis holds until the next hypothesis, a reference until the next line of either kind.
  const Line& hypothesis(std::string_view text);
  const Line& reference(std::string_view text);

  WordCache& words() { return words_; }
  text::meteor::Normalizer& normalizer() { return normalizer_; }
  // Starts afresh once it knows very many words; every line given before is void then.
  void forget_if_full();

 private:
  struct Slot {
    std::string text;
    bool is_filled = false;
    Line line;
  };
  const Line& read(std::string_view text, Line& spare);
  const Line& fill(std::string_view text, Line& line);

  std::shared_ptr<const text::meteor::MeteorData> data_;
  text::meteor::Normalizer normalizer_;
  WordCache words_;
  std::vector<Slot> slots_;
  const Slot* pinned_ = nullptr;  // where the hypothesis is
  Line spare_hypothesis_;
  Line spare_reference_;
};

}  // namespace snellen::metrics::meteor
