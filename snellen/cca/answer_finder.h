// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/cca/answer_index.h"
#include "snellen/cca/dialog_model.h"

namespace snellen::cca {

// The training dialogs, ready to be asked (CCA-AQ-G, docs/spec/visdial.md 5.7). Const methods are
// safe from many threads.
class AnswerFinder {
 public:
  // `is_compat`: the order of answers is that of the published code, which does not centre them.
  // `model` must outlive this.
  AnswerFinder(const DialogModel& model,
               const std::filesystem::path& training_dialogs,
               bool is_compat,
               unsigned num_threads,
               const Observe& observe = {});
  AnswerFinder(const AnswerFinder&) = delete;
  AnswerFinder& operator=(const AnswerFinder&) = delete;

  struct Answers {
    std::vector<uint32_t> rounds;    // of the training file, by falling cosine
    std::vector<std::string> texts;  // their answers, the best first
  };
  using Lists = std::vector<std::vector<Answers>>;  // [questions, counts]
  // The answers to each question, a row of the text's vector as the model's encoder gives it, for
  // each of the counts, which must not be empty. One search, for the largest.
  Lists find(const Eigen::Ref<const Rows>& questions, std::span<const size_t> counts) const;

  // The same for every text of the pool, block by block on the threads that this was made with.
  // Fewer where `is_stopped` says so.
  Lists answers(const text::StringPool& questions,
                std::span<const size_t> counts,
                const Observe& observe = {},
                const std::function<bool()>& is_stopped = {}) const;

 private:
  const DialogModel& model_;
  unsigned num_threads_;
  annotations::DialogFile training_;
  TrainingPairs pairs_;
  std::vector<uint32_t> rounds_;  // of the training file, one per pair
  Rows questions_;
  AnswerIndex index_;
};

}  // namespace snellen::cca
