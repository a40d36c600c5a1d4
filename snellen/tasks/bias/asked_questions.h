// SPDX-License-Identifier: Apache-2.0
// The close-ended questions that a model is asked: which of a set, with its options in which order,
// in which words (docs/spec/bias.md 1.5, 2.4, 3.7).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/annotations/bias/vlbias.h"
#include "snellen/config/options.h"
#include "snellen/questions/question.h"
#include "snellen/tasks/bias/option_chance.h"
#include "snellen/tasks/bias/prompts.h"
#include "snellen/tasks/bias/question_selection.h"
#include "snellen/tasks/bias/reply.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/task.h"
#include "snellen/text/answers/answer_parser.h"

namespace snellen::tasks {

// One question as it is asked.
struct AskedQuestion {
  annotations::CloseRow question;
  std::vector<size_t> presented;  // which option stands at each place
  uint32_t order = 0;

  std::string id() const;
};

// An answer that the server says is a refusal.
constexpr text::ParsedAnswer kRefused = {
    .status = text::AnswerStatus::kRefusal, .index = std::nullopt, .rule = "refused"};

// The option whose text has the best score; a tie goes to the first option.
struct ScoredChoice {
  text::ParsedAnswer parsed;
  double lead = 0;                                  // of the best score over the second
  std::optional<double> label_lead = std::nullopt;  // of the label's over the best other
  bool is_tied = false;
};

// Const methods are safe from many threads.
class AskedQuestions {
 public:
  // Questions of --questions, else of the VLBiasBench folder of --data. Throws kUsage for settings
  // that do not fit, kNothingScored when none is left.
  explicit AskedQuestions(const TaskRequest& request);

  // Questions in their order, each with all its orders of options.
  size_t size() const { return slots_.size(); }
  Result<AskedQuestion> asked(size_t place) const;
  // Its picture as it lies on disk.
  questions::Visual visual(const AskedQuestion& asked) const;
  // Asks about this visual of the item. The texts are added to it, once for all its visuals.
  void ask(const AskedQuestion& asked, uint32_t visual, Item& item) const;

  // What the model said to question `place` of an item; an Error where it said nothing.
  struct Spoken {
    std::string text;
    bool is_refused = false;  // as the server says, whatever the text
    bool is_cut_off = false;  // at its longest length
  };
  Result<Spoken> answer(const questions::Scores& scores, size_t place) const;
  Result<ScoredChoice> choice(const AskedQuestion& asked,
                              const questions::Scores& scores,
                              size_t place) const;

  Reply reply() const { return reply_; }
  // The subsets in the order in which they come, with all that size() counts.
  const std::vector<Part>& subsets() const { return subsets_; }
  std::vector<std::filesystem::path> inputs() const { return all_.inputs(); }
  // Of choosing one of the options shown, by subset.
  const OptionChance& chance() const { return chance_; }
  // Of choosing the unknown option, over all questions.
  double unknown_chance() const { return unknown_chance_; }
  std::vector<std::string> notes() const;
  // What is stored with an item, so that its answers can be judged again from a file.
  static constexpr const char* kPresented = "presented";
  // The rule of choices between texts that hold one option each, behind no letter.
  static constexpr const char* kBySimilarity = "similarity";
  static void put_details(const AskedQuestion& asked, NamedValues& named);

 private:
  struct Slot {
    uint32_t number;  // of the question
    uint32_t order;
  };
  uint32_t num_orders(const annotations::CloseRow& question, size_t number, uint32_t wanted) const;
  std::vector<size_t> presented(const annotations::CloseRow& question,
                                size_t number,
                                uint32_t order) const;
  std::vector<std::string> texts_of(const AskedQuestion& asked) const;
  const char* rule_name() const;

  annotations::CloseQuestions all_;
  ImageFolder images_;
  Reply reply_;
  PromptStyle style_;
  bool offers_unknown_always_;
  std::vector<Slot> slots_;
  std::vector<Part> subsets_;
  OptionChance chance_;
  double unknown_chance_ = 0;
};

}  // namespace snellen::tasks
