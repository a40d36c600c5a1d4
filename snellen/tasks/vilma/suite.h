// SPDX-License-Identifier: Apache-2.0
// `snellen score vilma --suite F`: several subtasks at once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/tasks/vilma/evaluate.h"

namespace snellen::tasks::vilma {

struct SuiteRow {
  std::string name;        // "case"; the annotation's stem when absent
  std::string annotation;  // as written, several joined by ", "
  std::vector<std::filesystem::path> annotations;
  std::filesystem::path proficiency;  // "prof"
  std::filesystem::path main;
  metrics::FoilMode mode = metrics::FoilMode::kSimilarity;
  std::string task;     // "task"; empty: told from the annotation file
  std::string subtask;  // "subtask"; empty: told from the annotation file
};

// Rows as the `inputs` of a suite file: a list of {"case", "annotation" (a name or a list), "mode",
// "main", "prof", optional "task" and "subtask"}, alone or under the key "inputs". Results are
// looked for beside the file, annotations in `annotation_folder` when given, then beside the file;
// absolute paths stay. Throws kNotFound or kInvalidInput naming row and key.
std::vector<SuiteRow> read_suite_rows(const std::filesystem::path& file,
                                      const std::filesystem::path& annotation_folder);

// The row's task and subtask: as the row says, else as its files tell, the subtask else by the
// row's name. Throws kInvalidInput when nothing tells the task.
annotations::VilmaPlace place_of(const SuiteRow& row, const EvaluatedItems& evaluated);

}  // namespace snellen::tasks::vilma
