// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "snellen/cca/neighbours.h"

namespace snellen::cca {

// Answers a question with the recorded answers of the nearest training questions (CCA-AQ-G,
// docs/spec/visdial.md 5.7). Const methods are safe from many threads.
class AnswerIndex {
 public:
  // Training rounds: the distinct questions, which of them each round asks, and its answer.
  // Everything must outlive this.
  struct Rounds {
    Eigen::Map<const Rows> questions;
    std::span<const uint32_t> question_of;
    std::span<const uint32_t> answer_of;
    // Writes the row of an answer; called from many threads.
    std::function<void(uint32_t answer, std::span<double> out)> read_answer;
  };
  AnswerIndex(const Projector& questions,
              const Projector& answers,
              const Rounds& rounds,
              unsigned num_threads);

  struct Found {
    std::vector<uint32_t> nearest;  // rounds by falling cosine of their questions; equal ones
                                    // ascending
    std::vector<uint32_t> ranked;   // the same rounds by falling cosine of their answers

    // What a search for `count` of them would have ranked: the nearest ones, in that order.
    std::vector<uint32_t> best(size_t count) const;
  };
  // For each question, a row of the text's vector: the `count` nearest rounds.
  std::vector<Found> find(const Eigen::Ref<const Rows>& questions, size_t count) const;

 private:
  std::vector<uint32_t> nearest_rounds(const std::vector<Neighbour>& neighbours,
                                       size_t count) const;
  void rank_answers(const Rows& queries, std::vector<Found>& found) const;

  Projector question_projector_;
  Projector answer_projector_;
  Rounds rounds_;
  std::vector<uint64_t> begins_;   // of each question's rounds in members_
  std::vector<uint32_t> members_;  // rounds, ascending within a question
  Neighbours neighbours_;
};

}  // namespace snellen::cca
