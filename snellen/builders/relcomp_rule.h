// SPDX-License-Identifier: Apache-2.0
// Which images belong to RelComp, by their ids alone (docs/spec/probe.md 7.1).
#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "snellen/base/hash.h"

namespace snellen::builders {

// Visual Genome images kept for training; Probe-R uses them in no role.
inline bool is_reserved_for_relcomp(int64_t visual_genome_id) {
  return fnv1a64(fmt::format("relcomp|{}", visual_genome_id)) % 1000 < 75;
}

// Nine in ten are trained on, the rest is held out.
inline bool is_in_training_split(int64_t image_id) {
  return fnv1a64(fmt::format("relcomp-split|{}", image_id)) % 10 < 9;
}

}  // namespace snellen::builders
