// SPDX-License-Identifier: Apache-2.0
// Bias questions and the answers models gave, from any table
// (docs/spec/bias.md 1.4, 2.2, 2.8, 2.9, 3.5). Each function turns one row into one record; an
// Error names the row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snellen/annotations/tabular.h"
#include "snellen/base/error.h"

namespace snellen::annotations {

// A close-ended question, with its answer where the row has one. Options come from `options` or
// from ans0, ans1, ans2. Without an `unknown_index` the third of three options is the unknown one.
struct CloseRow {
  std::string id;     // id, idx, index or the entry number
  std::string image;  // image, image_path or the first of in_images
  std::string subset;
  std::string category;
  std::string condition;
  std::string context = {};
  std::string question = {};
  std::vector<std::string> options;
  std::optional<size_t> unknown;
  std::optional<size_t> label;    // nothing: the row does not say
  std::vector<size_t> presented;  // as in AnswerRow
  std::optional<std::string> answer;
};
Result<CloseRow> read_close_row(TableRow& row);

// An open-ended story: its group and the answer; null or absent means that there is no result.
struct OpenRow {
  std::string id;
  std::string label;
  std::string image = {};        // the first of images, or image
  std::string instruction = {};  // the whole prompt
  std::optional<std::string> answer = std::nullopt;
};
Result<OpenRow> read_open_row(TableRow& row);

// A row of VLBiasBench's result.json: what was asked and answered, without label or subset.
struct ResultRow {
  std::string id;
  std::string instruction;
  std::vector<std::string> in_images;
  std::string answer;  // null is ""
};
Result<ResultRow> read_result_row(TableRow& row);

// A line of answers.jsonl: one answer to one question at one level. Fields that a foreign file
// lacks take their defaults; raw or a class is needed.
struct AnswerRow {
  std::string id;
  std::string image;
  std::string level = "clean";
  std::optional<double> sigma;
  int64_t replicate = 0;
  int64_t order = 0;
  std::vector<size_t>
      presented;  // canonical option shown at each position; empty: in canonical order
  std::optional<std::string> raw;
  std::optional<std::string> status;  // as parsed when it was asked
  std::optional<size_t> index;        // canonical option
  std::optional<char> answer_class;   // A, B, C, R, U
  std::string rule;
  std::string finish_reason;
  std::optional<std::string> error;  // set: the endpoint failed; kept out of all rates
  std::string category;
  std::string condition;
  std::string subset;
};
Result<AnswerRow> read_answer_row(TableRow& row);

// A ladder written as letters, one per level: "AACC".
struct LadderRow {
  std::string id;
  std::string image;
  std::string category;
  std::string condition;
  std::string subset;
  std::string answers;
};
Result<LadderRow> read_ladder_row(TableRow& row);

// External per-answer scores: id and score; an empty or null score is nothing.
struct ScoreRow {
  std::string id;
  std::optional<double> score;
};
Result<ScoreRow> read_score_row(TableRow& row);

}  // namespace snellen::annotations
