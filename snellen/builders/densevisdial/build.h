// SPDX-License-Identifier: Apache-2.0
// DenseVisDial: for every round of a dialog the candidates that mean the same as the recorded
// answer (docs/spec/visdial.md 5.5).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/builders/building.h"
#include "snellen/builders/densevisdial/reference_set.h"

namespace snellen::builders::densevisdial {

struct Sources {
  std::filesystem::path dialogs;      // visdial_1.0_val.json
  std::filesystem::path annotations;  // people's relevances; empty: none
  std::filesystem::path projections;  // the folder of a CCA; not needed for H alone
};

struct Options {
  std::vector<Rule> rules = {Rule::kSigma};
  bool is_human_only = false;  // annotated rounds alone
};

struct Statistics {
  std::vector<std::string> lines;  // "S<tab>name: mean (std: sd)<tab>...", as published
};

// Writes refs_{S,M,G,H}_{full,human}_{split}.json, statistics.json and build.json into `out`. The
// bytes depend on the sources and the options alone. Throws kUsage for sources that do not fit the
// rules, kInvalidInput for annotated rounds that are not among the dialogs.
BuildReport build(const Sources& sources,
                  const Options& options,
                  const std::filesystem::path& out,
                  const Workers& workers,
                  Statistics& statistics);

}  // namespace snellen::builders::densevisdial
