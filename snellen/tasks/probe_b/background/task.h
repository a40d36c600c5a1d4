// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/tasks/item.h"
#include "snellen/tasks/probe_b/probe_b.h"
#include "snellen/tasks/probe_compat.h"

namespace snellen::tasks::probe_b_background {

struct Rules {
  bool is_compat = false;
  ProbeFamily family = ProbeFamily::kClip;
  probe_b::Robustness robustness = probe_b::Robustness::kSoftmax;
};

// Per-image average precision and confidence with and without the background
// (docs/spec/probe.md 3.5). Values in the order of columns(); the named values are the softmax of
// the classes present, for each image. An Error when no class is present (by default: average
// precision is undefined then).
Result<Outcome> judge_group(const probe_b::Logits& logits,
                            const std::vector<uint8_t>& is_present,
                            const Rules& rules);

enum BackgroundColumn : size_t {
  kGtAp,
  kPatchAp,
  kModAp,
  kGtModChangeAp,
  kGtPatchChangeAp,
  kPatchModChangeAp,
  kGtModRobustness,
  kGtPatchRobustness,
  kPatchModRobustness,
  kGtModChangeConf,
  kGtPatchChangeConf,
  kPatchModChangeConf,
  kNumColumns
};
std::vector<Column> columns(probe_b::Robustness robustness = probe_b::Robustness::kSoftmax);

}  // namespace snellen::tasks::probe_b_background
