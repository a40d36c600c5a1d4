// SPDX-License-Identifier: Apache-2.0
// ViLMA's rare actions from RareAct and a language model's candidates (docs/spec/vilma.md 7.6).
#pragma once

#include <filesystem>
#include <string>

#include "snellen/builders/building.h"
#include "snellen/builders/vilma/foil_judges.h"
#include "snellen/builders/vilma/rare_sources.h"

namespace snellen::builders::vilma {

struct RareOptions {
  bool makes_verbs = true;
  bool makes_nouns = true;
  uint64_t verb_seed = 42;
  uint64_t noun_seed = 41;
  uint64_t num_examples = 1000;
  EnsembleOptions ensemble = {};
  // Foils that they do not let pass are left out. Labels of the candidate files count before
  // theirs.
  FoilJudges judges = {};
  // As the reference: "there is a phone", a pair without candidates ends the build, foils may
  // repeat their caption, and `classes_foil` of nouns holds the proficiency pair's noun.
  bool is_compat = false;
};

// Writes rare-actions-verb-foils.json, rare-actions-noun-foils.json (those there are candidates
// for), mlm-ensemble.json where masked models' outputs were merged, and build.json into `out`. The
// bytes depend on the sources and the options alone.
builders::BuildReport build_rare_actions(const RareSources& sources,
                                         const RareOptions& options,
                                         const std::filesystem::path& out,
                                         const builders::Workers& workers);

}  // namespace snellen::builders::vilma
