// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "snellen/tasks/task.h"
#include "snellen/training/probes/probe_question.h"

namespace snellen::training {

// The items of a task as questions, judged as the task judges them: under its name, and under
// NAME/CATEGORY where items have one. Items that the task has no decision for cannot be asked.
// `where` names the file for people.
std::unique_ptr<ProbeSource> task_probe(std::unique_ptr<const tasks::Task> task, std::string where);

}  // namespace snellen::training
