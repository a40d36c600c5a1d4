// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/answer_finder.h"

#include <algorithm>

#include "snellen/base/error.h"
#include "snellen/base/ordered_pipeline.h"

namespace snellen::cca {
namespace {

// The rounds with a recorded answer, in the order of all_pairs().
std::vector<uint32_t> answered_rounds(const annotations::DialogFile& dialogs) {
  std::vector<uint32_t> rounds;
  for (size_t i = 0; i < dialogs.num_rounds(); ++i)
    if (dialogs.round(i).answer) rounds.push_back(static_cast<uint32_t>(i));
  if (rounds.empty())
    throw Error{ErrorCode::kInvalidInput, "has no recorded answer", dialogs.path().string()};
  return rounds;
}

}  // namespace

AnswerFinder::AnswerFinder(const DialogModel& model,
                           const std::filesystem::path& training_dialogs,
                           bool is_compat,
                           unsigned num_threads,
                           const Observe& observe)
    : model_(model),
      num_threads_(num_threads),
      training_(training_dialogs),
      pairs_(all_pairs(training_)),
      rounds_(answered_rounds(training_)),
      questions_(embed(training_.questions(),
                       model.encoder,
                       num_threads,
                       [&](uint64_t done, uint64_t total) {
                         if (observe) observe("training questions", done, total);
                       })),
      index_(model.question_projector(),
             model.answer_projector(!is_compat),
             {.questions = {questions_.data(), questions_.rows(), questions_.cols()},
              .question_of = pairs_.questions,
              .answer_of = pairs_.answers,
              .read_answer =
                  [this, &model](uint32_t answer, std::span<double> out) {
                    model.encoder.encode(training_.answers()[answer], out);
                  }},
             num_threads) {}

AnswerFinder::Lists AnswerFinder::find(const Eigen::Ref<const Rows>& questions,
                                       std::span<const size_t> counts) const {
  Lists lists;
  const size_t most = *std::max_element(counts.begin(), counts.end());
  for (const AnswerIndex::Found& found : index_.find(questions, most)) {
    std::vector<Answers>& by_count = lists.emplace_back();
    for (const size_t count : counts) {
      Answers& answers = by_count.emplace_back();
      for (size_t i = 0; i < std::min(count, found.nearest.size()); ++i)
        answers.rounds.push_back(rounds_[found.nearest[i]]);
      for (uint32_t pair : found.best(count))
        answers.texts.emplace_back(training_.answers()[pairs_.answers[pair]]);
    }
  }
  return lists;
}

AnswerFinder::Lists AnswerFinder::answers(const text::StringPool& questions,
                                          std::span<const size_t> counts,
                                          const Observe& observe,
                                          const std::function<bool()>& is_stopped) const {
  const Rows rows = embed(questions, model_.encoder, num_threads_);
  const int64_t at_once = Neighbours::kQueriesAtOnce;
  Lists all;
  ordered_pipeline<Lists>(
      static_cast<uint64_t>((rows.rows() + at_once - 1) / at_once),
      num_threads_,
      [&](uint64_t block) {
        const int64_t first = static_cast<int64_t>(block) * at_once;
        return find(rows.middleRows(first, std::min(at_once, rows.rows() - first)), counts);
      },
      [&](Lists&& made) {
        std::move(made.begin(), made.end(), std::back_inserter(all));
        if (observe) observe("answers", all.size(), questions.size());
      },
      [&] { return is_stopped && is_stopped(); });
  return all;
}

}  // namespace snellen::cca
