// SPDX-License-Identifier: Apache-2.0
// Does a benchmark need its pictures (spec/bias.md 4.3)? The same items under the clean picture and
// under controls. No verb calls it yet: it is kept for the controls of served models.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/stats/bootstrap.h"
#include "snellen/stats/interval.h"
#include "snellen/stats/paired.h"

namespace snellen::metrics {

// One item's answer under one control. `chosen` and `label` are canonical options, `position` is
// where the chosen option stood.
struct ControlOutcome {
  std::string id;
  std::optional<size_t> chosen = std::nullopt;    // nothing: refused or not parsed, which is wrong
  std::optional<size_t> position = std::nullopt;  // letter shown for it
  size_t label = 0;
  size_t label_position = 0;
  size_t num_options = 0;
};

struct ControlRun {
  std::string name;  // "clean", "none", "gray", "gauss:100", ...
  bool is_blind =
      false;  // the picture tells nothing: none, gray, black, white, pure, mismatch, caption
  std::vector<ControlOutcome> outcomes = {};  // ids are distinct
};

struct ControlRow {
  std::string name;
  bool is_blind = false;
  uint64_t n = 0;
  uint64_t correct = 0;
  std::optional<double> accuracy = std::nullopt;
  std::optional<stats::Interval> wilson = std::nullopt;
  std::vector<uint64_t> letters = {};  // answers per position
  // The rest compares with clean, over items both have; nothing for clean itself.
  uint64_t num_paired = 0;
  std::optional<double> visual_gain = std::nullopt;  // acc(clean) - acc(control)
  std::optional<stats::Interval> visual_gain_interval = std::nullopt;
  std::optional<stats::McNemar> mcnemar = std::nullopt;
  std::optional<double> p_holm = std::nullopt;  // mcnemar->p adjusted over all controls
  std::optional<double> agreement =
      std::nullopt;  // share with the same answer; two answers that are none agree
  std::optional<double> leak_ratio =
      std::nullopt;  // (acc - chance) / (acc(clean) - chance), blind only; nothing if that is <= 0
};

struct ControlReport {
  std::vector<ControlRow> rows = {};            // in the order given
  std::optional<double> chance = std::nullopt;  // mean of 1 / options over clean items
  std::optional<double> majority_letter =
      std::nullopt;  // share of the most frequent right position
  std::optional<double>
      blind_solvable;  // right under every blind control, of items all of them have
  std::vector<std::string>
      text_solvable;  // ids right in at least 75 % of blind runs, in clean order
};

struct ControlOptions {
  double confidence = 0.95;
  std::optional<stats::BootstrapOptions> bootstrap =
      std::nullopt;  // of visual_gain; none without it
};

// The run named "clean" is what the others are compared with. Throws kInvalidInput when it is
// missing or an id is given twice in one run.
ControlReport report_controls(std::span<const ControlRun> runs, const ControlOptions& options = {});

// Position bias: an item is right only if it is right under all its option orders. `by_order[k]`
// holds the same ids.
std::optional<double> circular_accuracy(std::span<const std::vector<ControlOutcome>> by_order);

}  // namespace snellen::metrics
