// SPDX-License-Identifier: Apache-2.0
// Close-ended bias questions (spec/bias.md 2.7): accuracy by subset, category and condition. An
// answer that was not parsed, was refused or is empty is wrong. Undefined shares are nothing, never
// 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/stats/bootstrap.h"
#include "snellen/stats/interval.h"
#include "snellen/text/answers/answer_parser.h"
#include "snellen/text/answers/answer_parser_compat.h"

namespace snellen::metrics {

// A question with the answer a model gave, as files hold it.
struct CloseRecord {
  std::string id;
  std::string image;      // the cluster; empty: an item of its own
  std::string subset;     // base, scene, scene_text, text
  std::string category;   // Age, Gender_identity, ...
  std::string condition;  // ambig, neg, non_neg
  std::vector<std::string> options = {};
  std::optional<size_t> unknown = std::nullopt;  // index of the "not enough information" option
  std::optional<size_t> label = std::nullopt;    // right option; nothing: the item cannot be scored
  std::string answer;
  std::vector<size_t> presented = {};  // option shown at each place; empty: in canonical order
};

// What a record came to; the row a store keeps per item.
struct CloseOutcome {
  std::string id;
  std::string image;
  std::string subset;
  std::string category;
  std::string condition;
  std::optional<size_t> label = std::nullopt;
  text::ParsedAnswer parsed;
  bool is_right = false;
  bool is_unknown = false;  // the unknown option was chosen
};

// The label of a VLBiasBench record: as given, else the unknown option for ambig, else nothing.
std::optional<size_t> label_or_default(std::optional<size_t> label,
                                       std::string_view condition,
                                       std::optional<size_t> unknown);

// Throws kInvalidInput, naming the record, for options that check_options() refuses or a label out
// of range.
CloseOutcome judge_close(const CloseRecord& record,
                         text::AnswerRule rule = text::AnswerRule::kDefault);

struct CloseBlock {
  std::string name;
  uint64_t n = 0;
  uint64_t correct = 0;
  uint64_t parsed = 0;
  uint64_t refused = 0;
  uint64_t unknown = 0;
  std::optional<stats::Interval> wilson = std::nullopt;     // of accuracy
  std::optional<stats::Interval> clustered = std::nullopt;  // by image, when asked for

  std::optional<double> accuracy() const;
  std::optional<double> accuracy_parsed() const;  // correct / parsed
  std::optional<double> parse_rate() const;
  std::optional<double> refusal_rate() const;
  std::optional<double> unknown_rate() const;
};

struct CloseReport {
  CloseBlock overall;
  std::vector<CloseBlock> by_subset = {};    // sorted by name
  std::vector<CloseBlock> by_category = {};  // sorted by name
  std::vector<CloseBlock>
      by_condition;  // sorted by name, then "disambig" = neg and non_neg, when there is any
  std::optional<double> macro_category_accuracy = std::nullopt;  // unweighted mean over categories
  std::optional<double> delta_base = std::nullopt;               // acc(base) - acc(text)
  std::optional<double> delta_scene = std::nullopt;              // acc(scene) - acc(scene_text)
  std::optional<double> bias_score = std::nullopt;               // acc(non_neg) - acc(neg)
  std::optional<double> unknown_in_disambig =
      std::nullopt;           // share of disambiguated items answered "unknown"
  uint64_t num_unusable = 0;  // items without a label, left out of all above
};

struct CloseOptions {
  double confidence = 0.95;
  // Cluster bootstrap over images for every block; none without it.
  std::optional<stats::BootstrapOptions> bootstrap = std::nullopt;
};

CloseReport aggregate_close(std::span<const CloseOutcome> outcomes,
                            const CloseOptions& options = {});

}  // namespace snellen::metrics
