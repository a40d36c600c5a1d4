// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "snellen/media/processor/image_processor.h"
#include "snellen/tasks/task.h"
#include "snellen/training/probes/probe_question.h"

namespace snellen::training {

// The items of a task as questions, judged as the task judges them: under its name, and under
// NAME/CATEGORY where items have one. Items that show clips, or that the task has no decision for,
// cannot be asked. `where` names the file for people. The processor must outlive it.
std::unique_ptr<ProbeSource> task_probe(std::unique_ptr<const tasks::Task> task,
                                        std::string where,
                                        const media::ImageProcessor& processor);

}  // namespace snellen::training
