// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "snellen/inference/installation.h"
#include "snellen/metrics/metric.h"
#include "snellen/models/model.h"
#include "snellen/tasks/task.h"

namespace snellen::run {

// Everything this build knows, handed down by the program.
struct Catalogue {
  std::vector<std::unique_ptr<tasks::TaskEntry>> tasks;
  std::vector<std::unique_ptr<models::ModelEntry>> models;
  // Of the program, which task files may name beside the built-in ones.
  std::vector<std::shared_ptr<const metrics::Metric>> metrics;

  // What checkpoint folders need; the program fills it in.
  inference::Installation installation = {};

  static Catalogue built_in();
  // `spec` is a task's name, NAME/PART where the task takes one of its parts alone, or
  // NAME:ARGUMENT where it takes one. Throws kUsage naming the nearest known one.
  const tasks::TaskEntry& task(const std::string& spec) const;
  // `spec` is a name, or name:argument.
  const models::ModelEntry& model(const std::string& spec) const;
};

}  // namespace snellen::run
