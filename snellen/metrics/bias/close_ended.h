// SPDX-License-Identifier: Apache-2.0
// Close-ended bias questions (docs/spec/bias.md 2.7). An answer that was not parsed, was refused or
// is empty is wrong.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  // Where another rule decides what is noted of it: a literal (C) in compat.
  std::optional<bool> is_noted_unknown = std::nullopt;
};

// The label of a VLBiasBench record: as given, else the unknown option for ambig, else nothing.
std::optional<size_t> label_or_default(std::optional<size_t> label,
                                       std::string_view condition,
                                       std::optional<size_t> unknown);

// Throws kInvalidInput, naming the record, for options that check_options() refuses or a label out
// of range.
CloseOutcome judge_close(const CloseRecord& record,
                         text::AnswerRule rule = text::AnswerRule::kDefault);
// The same for an answer that is parsed: by a refusal of the server, or by scores of the options.
CloseOutcome judge_close(const CloseRecord& record, const text::ParsedAnswer& parsed);

}  // namespace snellen::metrics
