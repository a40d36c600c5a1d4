// SPDX-License-Identifier: Apache-2.0
// What the sources of `snellen import` share: their flags, and turning logged values into samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/run/ending/imported_run.h"

namespace snellen::cli {

struct ImportFlags {
  std::string log;
  std::string metric;
  std::string name;
  std::string task;
  std::string output = "runs";
};

std::vector<config::Option> import_options(const char* log_help);

// One logged sample: which item it is of, and its values by the names that the log gives them.
struct LoggedSample {
  std::string item;
  std::string input;               // the text that was asked; empty when the log has none
  std::vector<std::string> texts;  // further texts, as the expected answer
  std::vector<std::string> answers;
  std::string error;  // why the other program has no value for it
  std::vector<std::pair<std::string, double>> values;
};

// A logged value as a number: numbers, true and false, and the words that inspect_ai writes
// ("C", "I", "P", "N"); nothing for anything else.
std::optional<double> logged_number(const nlohmann::json& value);
// Adds a value under its name; an object's members are added as NAME.MEMBER.
void add_logged_values(const std::string& name, const nlohmann::json& value, LoggedSample& sample);

// The samples of a log in its order. Both throw kNotFound, and kInvalidInput for what is no such
// log.
std::vector<LoggedSample> read_lmms_log(const std::string& path);
struct InspectLog {
  std::string task;   // empty where the log does not say
  std::string model;  // the same
  std::vector<LoggedSample> samples;
};
InspectLog read_inspect_log(const std::string& path);

// Writes the run folder and prints what it holds. `metric` is what decides whether a sample is
// right; where it is empty the log must name a single one. Samples of the same item are repeats of
// it, and are taken together in intervals.
int write_imported(const Context& context,
                   const ImportFlags& flags,
                   const std::string& source,
                   std::vector<LoggedSample> logged,
                   std::vector<std::string> notes);

}  // namespace snellen::cli
