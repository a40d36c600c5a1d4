// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "snellen/metrics/choice/ties.h"
#include "snellen/tasks/item.h"
#include "snellen/tasks/probe_compat.h"

namespace snellen::tasks::probe_r {

// The columns of a score row: the true triple, the subject swapped, the subject alone, the foil
// subject alone, the predicate swapped (docs/spec/probe.md 2.6).
enum Prompt { kR1, kR3, kO1, kO3, kR2 };
inline constexpr size_t kNumPrompts = 5;
using Row = std::array<double, kNumPrompts>;

// One recorded comparison: on which images, the right prompt and its foil (docs/spec/probe.md 3.2).
struct Comparison {
  std::string_view image_key;  // in the published files
  std::string_view part;       // in metric ids
  std::string_view name;
  Prompt right;
  Prompt foil;
};
inline constexpr std::array<Comparison, 9> kComparisons = {{
    {"rel1_image", "anchor", "rel1_vs_rel3", kR1, kR3},
    {"rel1_image", "anchor", "rel1_vs_rel2", kR1, kR2},
    {"rel1_image", "anchor", "rel1_vs_obj1", kR1, kO1},
    {"obj1_images", "positives", "obj1_vs_rel1", kO1, kR1},
    {"obj1_images", "positives", "obj1_vs_rel2", kO1, kR2},
    {"obj1_images", "positives", "rel1_vs_rel2", kR1, kR2},
    {"obj1_images", "positives", "rel1_vs_rel3", kR1, kR3},
    {"obj1_images", "positives", "obj1_vs_obj3", kO1, kO3},
    {"obj3_images", "negatives", "obj3_vs_obj1", kO3, kO1},
}};

// Averaging the scores of a group's images: their logits, or their two-way probabilities.
enum class Average { kLogits, kProbabilities };

struct Rules {
  bool is_compat = false;
  ProbeFamily family = ProbeFamily::kClip;
  Average average = Average::kLogits;
  metrics::Ties ties = metrics::Ties::kWrong;
};

// The rows of one group; empty lists leave their comparisons undefined.
struct GroupScores {
  Row anchor;
  std::vector<Row> positives;
  std::vector<Row> negatives;  // only O1 and O3 are used
};

// Values in the order conf, acc for each of kComparisons; NaN where the rules leave a comparison
// out.
Outcome judge_group(const GroupScores& scores, const Rules& rules);

}  // namespace snellen::tasks::probe_r
