// SPDX-License-Identifier: Apache-2.0
// What is asked of a model, and what it says: the words that tasks and inference share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "snellen/base/content_key.h"
#include "snellen/questions/score_kind.h"
#include "snellen/questions/visual.h"

namespace snellen::questions {

// A text that a visual is compared with, or that a model continues.
struct Text {
  std::string prompt;
  // Of an ensemble, which has one score for all of its prompts: the cosine with the mean of their
  // directions, without the model's scale. Models without directions take one that has a single
  // prompt as that prompt.
  std::vector<std::string> more_prompts = {};
  bool is_ensemble = false;
};

// The texts of an item: its own, or a list that many items share, which models look through once.
// A question that names as many texts as a shared list has names all of them.
class Texts {
 public:
  using List = std::vector<Text>;

  Texts() = default;
  Texts(std::initializer_list<Text> own) : own_(own) {}
  explicit Texts(std::shared_ptr<const List> shared) : shared_(std::move(shared)) {}

  void push_back(Text text) { own_.push_back(std::move(text)); }
  const List& list() const { return shared_ ? *shared_ : own_; }
  const std::shared_ptr<const List>& shared() const { return shared_; }
  size_t size() const { return list().size(); }
  const Text& operator[](size_t i) const { return list()[i]; }
  List::const_iterator begin() const { return list().begin(); }
  List::const_iterator end() const { return list().end(); }
  // The prompt, or the first of them; an own one is moved out.
  std::string take_prompt(size_t i) {
    return shared_ ? list()[i].prompt : std::move(own_[i].prompt);
  }

 private:
  List own_;
  std::shared_ptr<const List> shared_;
};

enum class Wants { kScores, kAnswer };

// One visual with the texts that are judged together: probabilities are shares among them. Indices
// are those of the visuals and texts of the item. One that wants an answer names one text: the
// whole prompt. A visual that the item does not have means that nothing is shown.
struct Question {
  uint32_t visual = 0;
  std::vector<uint32_t> texts = {};
  Wants wants = Wants::kScores;
  uint32_t repeat = 0;    // of those that want an answer: each number is asked anew
  std::string name = {};  // where an item asks several about one visual: "proficiency"
  // Where its scores stand among those of the item, one per text; empty: behind those of the
  // question before it. An item gives places for all of its questions or for none.
  std::vector<uint32_t> places = {};
};

// The visual of a question for those who tell visuals apart by name: questions about one visual
// that have names of their own are apart.
std::string shown_name(const Visual& visual, const Question& question);

// How many scores a question has: one per text, none where it wants an answer.
inline size_t num_scores(const Question& question) {
  return question.wants == Wants::kAnswer ? 0 : question.texts.size();
}

// Where the scores of a question stand among those of its item, when `next` scores came before it.
inline size_t place_of(const Question& question, size_t text, size_t next) {
  return question.places.empty() ? next + text : question.places[text];
}

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

// A file as a model read it.
struct FileRead {
  uint64_t size = 0;
  int64_t mtime_ns = 0;
  ContentKey key = {};  // of its bytes
};

// What is known of an answer beside its text.
struct AnswerFacts {
  std::string finish_reason = {};  // as the server says it: "stop", "length"
  bool is_refused = false;
};

// What a model says of an item.
struct Scores {
  std::vector<double> values = {};  // of all its questions; NaN where a score file leaves one out
  // Of every value the probability that it is a share of; empty where the model does not say.
  std::vector<double> masses = {};
  ScoreKind kind = ScoreKind::kSimilarity;
  std::vector<int64_t> frames = {};  // of the first visual, counted in its clip; none for pictures
  std::vector<std::string> answers = {};       // of the questions that want one, in their order
  std::vector<AnswerFacts> answer_facts = {};  // of those; empty where the model does not say
  // Of every visual the file that was read, where the model reads files; empty: none was.
  std::vector<std::optional<FileRead>> files = {};
};

}  // namespace snellen::questions
