// SPDX-License-Identifier: Apache-2.0
// Does the place of an option decide (docs/spec/bias.md 4.3)? Which letters are chosen, what the
// letter that is right most often would get, and which questions are answered right wherever their
// options stand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::bias_close {

// What is stored with an item that was asked: options by their number, not by their place.
inline constexpr const char* kChosen = "index";
inline constexpr const char* kRight = "label";

// Items are fed in order of position. Those that do not say which option stood where are left out,
// and so are choices between texts that name no letter.
class Letters {
 public:
  void add(const std::string& subset, const StoredItem& item);

  // bias-close/letter/A ..: shares of the answers that name an option. bias-close/majority_letter:
  // what one letter for all questions gets at best. bias-close/circular_accuracy, where questions
  // were asked in several orders: the share that is right under every shift of the options, of
  // those that were asked in all.
  void measure(const PooledOptions& options, std::vector<metrics::Measurement>& all) const;

 private:
  struct Answer {
    std::vector<std::string> clusters;
    std::optional<size_t> chosen = std::nullopt;  // places
    std::optional<size_t> right = std::nullopt;
  };
  // A question over its shifts.
  struct Round {
    std::vector<std::string> clusters;
    size_t num_options = 0;
    size_t num_shifts = 0;  // that were asked
    bool is_right = true;   // in all of them
  };
  void add_shift(const std::string& subset, const StoredItem& item, size_t num_options);
  metrics::Measurement majority_letter() const;
  void measure_rounds(const PooledOptions& options, std::vector<metrics::Measurement>& all) const;

  size_t num_letters_ = 0;
  std::vector<Answer> answers_;
  std::map<std::pair<std::string, std::string>, size_t> places_;  // of rounds, by subset and id
  std::vector<Round> rounds_;
  bool has_orders_ = false;
};

}  // namespace snellen::tasks::bias_close
