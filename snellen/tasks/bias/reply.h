// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/tasks/task.h"

namespace snellen::tasks {

// What the model of a run gives where it is asked a question.
enum class Reply {
  kGiven,         // nothing: the task reads results from files
  kSimilarities,  // a score for each text
  kLikelihoods,   // how likely it finds each text
  kAnswers,       // words
};

Reply reply_of(const TaskRequest& request);

}  // namespace snellen::tasks
