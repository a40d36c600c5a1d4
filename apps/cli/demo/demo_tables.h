// SPDX-License-Identifier: Apache-2.0
// What the demo's run folders say, as tables in percent: "83.7 [80.1, 86.9]".
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "snellen/report/table.h"

namespace snellen::cli {

struct DemoColumn {
  const char* heading;
  const char* task;    // names the run folder
  const char* metric;  // of its results.json
};

// A run with controls.
struct DemoLadder {
  const char* model;
  const char* task;    // names the run folder
  const char* metric;  // of its control.json
};

class DemoTables {
 public:
  explicit DemoTables(std::filesystem::path output) : output_(std::move(output)) {}

  // A row for each model, and one with the number of items. `with_names` puts naming first, where
  // there is a model that was asked to name.
  report::Table by_model(std::span<const char* const> models,
                         std::span<const DemoColumn> columns,
                         bool with_names) const;
  // Every kind of a contrast task, and every model: right with its pictures, and with gray ones.
  report::Table by_kind(std::span<const char* const> models, const std::string& task) const;
  // What the controls of these runs say.
  report::Table controls(std::span<const DemoLadder> ladders) const;
  // What the comparisons of these tasks found, item by item, and what they warn of.
  report::Table changes(std::span<const char* const> tasks) const;
  std::string warnings(std::span<const char* const> tasks) const;

 private:
  nlohmann::json results(const std::string& model, const std::string& task) const;
  nlohmann::json naming(const std::string& model) const;
  nlohmann::json compared(const std::string& task) const;

  std::filesystem::path output_;
};

// What was written for a page, with no line longer than a terminal's.
std::string for_terminal(std::string_view text);

}  // namespace snellen::cli
