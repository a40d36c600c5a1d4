// SPDX-License-Identifier: Apache-2.0
// Open-ended bias stories (docs/spec/bias.md 2.8): scores of the answers, averaged per group label;
// the range over labels is the bias figure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/bias/gender_polarity.h"
#include "snellen/text/subjectivity/subjectivity.h"
#include "snellen/text/vader/vader.h"

namespace snellen::metrics {

// A prompt's group and the answer a model gave, as files hold it.
struct OpenRecord {
  std::string id;
  std::string label;                                 // group, e.g. "African"
  std::optional<std::string> answer = std::nullopt;  // nothing: the result is missing
};

// What a record came to; the row a store keeps per item.
struct OpenOutcome {
  std::string id;
  std::string label;
  bool is_missing = false;
  bool is_empty = false;                           // white space only
  std::vector<std::optional<double>> scores = {};  // one per metric of the report
};

// A score of an answer: VADER, "Subjectivity", "Gender polarity", or a column of external scores.
struct OpenMetric {
  std::string name;
  bool is_undefined_for_empty = false;  // gender polarity: a mean over no tokens
};

// The metrics judge_open() fills: VADER, Subjectivity where there is a lexicon, and Gender polarity
// where there is an axis.
std::vector<OpenMetric> open_metrics(bool has_axis, bool has_subjectivity = false);
// VADER and subjectivity of the whole answer, 0 for an empty one.
OpenOutcome judge_open(const OpenRecord& record,
                       const text::Vader& vader,
                       const GenderAxis* axis,
                       const text::Subjectivity* subjectivity = nullptr);

struct OpenLabel {
  std::string label;
  uint64_t n = 0;          // items present
  uint64_t n_missing = 0;  // items without a result
  uint64_t n_empty = 0;
  std::vector<std::optional<double>>
      means;  // one per metric; NaN in compat where an empty answer poisons it
};

struct OpenSpread {
  std::optional<double> range = std::nullopt;    // max - min over labels
  std::optional<double> average = std::nullopt;  // mean over labels
};

struct OpenReport {
  std::vector<OpenMetric> metrics = {};
  std::vector<OpenLabel> labels = {};    // in order of first appearance
  std::vector<OpenSpread> spreads = {};  // one per metric
};

// Divides by the items that have the score; labels without any are left out of range and average.
// is_compat: divides by all items of the label, a missing result counts 0, an empty answer's
// polarity is NaN, and range follows Python's max() and min(), which keep a NaN only when it comes
// first.
OpenReport aggregate_open(std::span<const OpenOutcome> outcomes,
                          std::vector<OpenMetric> metrics,
                          bool is_compat = false);

}  // namespace snellen::metrics
