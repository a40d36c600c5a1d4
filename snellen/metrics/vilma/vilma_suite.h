// SPDX-License-Identifier: Apache-2.0
// ViLMA's report (docs/spec/vilma.md 1 and 3.5): proficiency P, main test T and both P+T per
// subtask, per task (pooled over its items) and as the unweighted mean of the tasks. Shares are
// fractions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/stats/interval.h"

namespace snellen::metrics {

// The five tasks, in the order of the published table.
inline constexpr std::array<std::string_view, 5> kVilmaTasks = {"action_counting",
                                                                "situation_awareness",
                                                                "change_of_state",
                                                                "rare_actions",
                                                                "spatial_relations"};

struct VilmaShare {
  double num_correct =
      0.0;  // whole unless ties count half; 0 in the average over tasks, which counts nothing
  double share = 0.0;
  uint64_t num_ties = 0;
  double chance =
      0.0;  // mean over items of what guessing gets: P 1/2, T 1/(1+foils), P+T their product
  // Wilson for a subtask or task; with half credits the hull of the two whole counts around it. For
  // the average the tasks' intervals combined as independent (MOVER, Zou & Donner 2008), method
  // "wilson-mover".
  std::optional<stats::Interval> interval;
};

struct VilmaScores {
  uint64_t n = 0;
  VilmaShare p;
  VilmaShare t;
  VilmaShare pt;
};

struct VilmaSubtask {
  std::string name;
  std::string annotation;
  std::string task;
  std::string subtask;
  VilmaScores scores;
};

struct VilmaTask {
  std::string name;
  VilmaScores scores;
};

struct VilmaSuite {
  std::vector<VilmaSubtask> subtasks;  // in the order given
  std::vector<VilmaTask> tasks;        // kVilmaTasks first, then others in order of appearance
  VilmaScores average;                 // unweighted mean over `tasks`; n is their sum
  bool is_complete = false;  // the five tasks and no other: comparable with published averages
};

}  // namespace snellen::metrics
