// SPDX-License-Identifier: Apache-2.0
// What is asked of a model, and what it says: the words that tasks and inference share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snellen/questions/score_kind.h"
#include "snellen/questions/visual.h"

namespace snellen::questions {

// A text that a visual is compared with, or that a model continues. Several prompts are an
// ensemble: they have one score together.
struct Text {
  std::string prompt;
  std::vector<std::string> more_prompts = {};
};

enum class Wants { kScores, kAnswer };

// One visual with the texts that are judged together: probabilities are shares among them. Indices
// are those of the visuals and texts of the item.
struct Question {
  uint32_t visual = 0;
  std::vector<uint32_t> texts = {};
  Wants wants = Wants::kScores;
  std::string name = {};  // where an item asks several about one visual: "proficiency"
  // Where its scores stand among those of the item, one per text; empty: behind those of the
  // question before it. An item gives places for all of its questions or for none.
  std::vector<uint32_t> places = {};
};

// One visual with one text.
struct Pair {
  uint32_t visual = 0;
  uint32_t text = 0;
  bool operator==(const Pair&) const = default;
};

// The pair of every score of an item, in the order of its scores.
std::vector<Pair> pairs_of(std::span<const Question> questions);
// The fewest questions that ask these pairs in this order: one per visual.
std::vector<Question> questions_about(std::span<const Pair> pairs);

// What a model says of an item.
struct Scores {
  std::vector<double> values = {};  // of all its questions; NaN where a score file leaves one out
  ScoreKind kind = ScoreKind::kSimilarity;
  std::vector<int64_t> frames = {};  // of the first visual, counted in its clip; none for pictures
  std::vector<std::string> answers = {};  // of the questions that want one, in their order
};

}  // namespace snellen::questions
