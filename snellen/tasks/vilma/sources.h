// SPDX-License-Identifier: Apache-2.0
// The files of one `score vilma`, read and decided: what the task hands out item by item.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/tasks/vilma/flags.h"
#include "snellen/tasks/vilma/suite.h"

namespace snellen::tasks::vilma {

// The scores behind one decision, as the results files have them; nothing where a file lacks the
// item or was not given.
struct ItemScores {
  std::optional<std::vector<double>> proficiency;
  std::optional<std::vector<double>> main;
};

struct SourceItem {
  std::string id;
  std::string clip;
  bool is_degenerate = false;
  ItemScores scores;
  std::optional<metrics::FoilRow> decision;  // nothing: skipped, because a results file lacks it
};

// The evaluated items of one subtask.
struct Source {
  std::string task;  // one of metrics::kVilmaTasks, the user's own, or empty when nothing tells
  std::string part;  // the subtask: the middle of the metric id
  metrics::FoilMode mode = metrics::FoilMode::kSimilarity;
  std::vector<SourceItem> items;  // file by file, in lexicographic order of ids
};

struct Sources {
  std::vector<Source> parts;
  bool is_pair = false;                    // P, T and P+T; otherwise one of P and T alone
  ScoredTexts texts = ScoredTexts::kMain;  // what a single results file scored; never kAuto
  size_t longest_entry = 0;                // of a single results file: what compat pads to
  std::vector<std::filesystem::path> files;
  std::vector<std::string> notes;  // what a user should know, one sentence each
};

// Reads everything and decides every item. Throws kNotFound or kInvalidInput for files that cannot
// be used and for items that the rules refuse, naming them: nothing was written by then.
Sources open_sources(const Wanted& wanted);

// What the reference prints for these flags, line for line; needs annotations, not a suite.
std::vector<std::string> reference_stdout(const Wanted& wanted);

// What is said of items whose caption is one of their foils or whose foils repeat; names the first
// few.
std::string degenerate_note(const std::string& name,
                            const std::vector<std::string>& ids,
                            bool is_left_out);

// The middle of a task's metric ids, as the published table heads its columns: "counting",
// "situation", "change-state", "rare-actions", "relations"; any other name as it is.
std::string task_id(const std::string& task);

}  // namespace snellen::tasks::vilma
