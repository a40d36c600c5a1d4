// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/annotations/coco/class_table.h"
#include "snellen/base/error.h"
#include "snellen/metrics/choice/ties.h"
#include "snellen/tasks/item.h"
#include "snellen/tasks/probe_b/probe_b.h"
#include "snellen/tasks/probe_compat.h"

namespace snellen::tasks::probe_b_cooccurrence {

struct Rules {
  bool is_compat = false;
  ProbeFamily family = ProbeFamily::kClip;
  std::vector<std::string> dropped_classes = {"apple"};  // left out of every choice
  std::optional<metrics::Ties> ties = std::nullopt;      // not given: the first maximum wins
  probe_b::Robustness robustness = probe_b::Robustness::kSoftmax;
};

// The classes of one group, as places in the class table.
struct GroupClasses {
  size_t object = 0;
  std::vector<size_t> others;   // without dropped ones
  std::vector<size_t> choices;  // all but dropped ones and others, in table order; holds the object
  std::vector<size_t> all;      // all but dropped ones
};

// An Error when the object is not in the table, is dropped, or is among the others
// (docs/spec/probe.md 3.6).
Result<GroupClasses> classes_of(const std::string& object,
                                const std::vector<std::string>& other_objects,
                                const annotations::ClassTable& table,
                                const Rules& rules);

// Values in the order of columns(); the named values are the softmax over all classes for each
// image, by its name; none in compat.
Outcome judge_group(const probe_b::Logits& logits, const GroupClasses& classes, const Rules& rules);

enum CooccurrenceColumn : size_t {
  kAllObjectsAp,
  kGtAcc,
  kPatchAcc,
  kModAcc,
  kGtConf,
  kPatchConf,
  kModConf,
  kGtModChange,
  kGtPatchChange,
  kPatchModChange,
  kGtModRelative,
  kGtPatchRelative,
  kPatchModRelative,
  kGtModAbsolute,
  kGtPatchAbsolute,
  kPatchModAbsolute,
  kNumColumns
};
std::vector<Column> columns(std::optional<metrics::Ties> ties,
                            probe_b::Robustness robustness = probe_b::Robustness::kSoftmax);

}  // namespace snellen::tasks::probe_b_cooccurrence
