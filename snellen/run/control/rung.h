// SPDX-License-Identifier: Apache-2.0
// The controls that `run --control` names: each is a rung, the same tasks with their pictures
// changed.
#pragma once

#include <string>
#include <vector>

#include "snellen/media/corruptions/corruption.h"

namespace snellen::run {

struct Rung {
  media::Corruption corruption;

  std::string name() const { return corruption.name(); }
  // Of its folder below the run folder: "gauss-100".
  std::string folder() const;
};

// `clean` is what every run scores, and left out here. Throws kUsage for a name that the catalogue
// does not have, and for one that is named twice.
std::vector<Rung> rungs_of(const std::vector<std::string>& names);

}  // namespace snellen::run
