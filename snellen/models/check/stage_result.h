// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/models/check/fixture.h"

namespace snellen::models {

// How one stage of a fixture came out.
struct StageResult {
  std::string name;
  bool is_equal = false;
  bool was_computed = true;  // false: this build has nothing to compare, which is a difference too
  double largest = 0;        // |got - want|, divided by max |want| where the stage is relative
  size_t index = 0;          // of the largest difference
  double got = 0;
  double want = 0;
  std::string note;  // shapes that differ
};

// What differs, for people: "0.0012 at 7: got 1.5, expected 1", or the note.
std::string difference_text(const StageResult& stage);

// `is_strict` takes the stage's strict tolerance.
StageResult compare_stage(const FixtureStage& stage,
                          std::string name,
                          const FloatTensor& got,
                          const FloatTensor& want,
                          bool is_strict);

}  // namespace snellen::models
