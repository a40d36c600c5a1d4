// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "snellen/tasks/task.h"

namespace snellen::training {

// Items that a model is asked at every evaluation, or between two others.
struct ProbeTask {
  std::unique_ptr<tasks::Task> task;
  std::string file;  // where they come from
};

}  // namespace snellen::training
