// SPDX-License-Identifier: Apache-2.0
// What a report is made of: the results of runs, by model and metric, the logs of trainings, and
// what builders counted.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/report/stored_run.h"
#include "snellen/store/results.h"

namespace snellen::report {

struct ReportRun {
  StoredRun stored;
  std::string name;   // of its folder
  std::string label;  // of the model, made distinct where two runs measured the same
  store::Results results = {};
  std::vector<std::string> missing = {};  // what the folder lacks, one sentence each

  // Nothing when it was not measured.
  const metrics::Measurement* find(std::string_view id) const;
};

// A file of a training or a sweep, with the name of its folder.
struct ReportFile {
  std::string name;
  std::filesystem::path path;
};

struct ReportInput {
  std::vector<ReportRun> runs = {};
  std::vector<ReportFile> trainings = {};  // train.jsonl
  std::vector<ReportFile> sweeps = {};     // curve.json
  // statistics.json of `build densevisdial`
  std::vector<ReportFile> set_statistics = {};
  std::vector<std::string> notes = {};    // what could not be read
  std::filesystem::path map_folder = {};  // keeps maps of features; empty: made anew

  // Labels in the order of the runs, each once.
  std::vector<std::string> labels() const;
  // Nothing when no run of that label measured it.
  const metrics::Measurement* find(const std::string& label, const std::string& id) const;
  // The chance level of a metric: its own, or what the metric ID_chance measured.
  std::optional<double> chance(const std::string& label, const std::string& id) const;
  // Every metric id that starts and ends so, sorted, each once.
  std::vector<std::string> ids(std::string_view start, std::string_view end = {}) const;
};

// Run folders, and folders that hold some at any depth up to 4. A folder that is damaged gives what
// can be read, and a note. Throws kNotFound when there is nothing to report.
ReportInput read_report_input(std::span<const std::filesystem::path> folders);

// The run folders at and below a folder, by path; what no run.json is in is passed over.
std::vector<std::filesystem::path> find_run_folders(const std::filesystem::path& folder);

// The logs of trainings (train.jsonl) at and below a folder, by path.
std::vector<ReportFile> find_trainings(const std::filesystem::path& folder);

// The metrics that stand for a run where there is room for few, by id.
std::vector<std::string> headline_ids(const store::Results& results);

}  // namespace snellen::report
