// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/reply.h"

#include "snellen/tasks/bias/question_selection.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks {

Reply reply_of(const TaskRequest& request) {
  const auto* shared = request.options.get_if<SharedSettings>();
  if (shared == nullptr || shared->adapter == "given") return Reply::kGiven;
  if (request.can_answer) return Reply::kAnswers;
  const auto* questions = request.options.get_if<QuestionSettings>();
  const bool is_likely = questions != nullptr && questions->chooses_by == ChoosesBy::kLikelihood;
  return is_likely ? Reply::kLikelihoods : Reply::kSimilarities;
}

}  // namespace snellen::tasks
