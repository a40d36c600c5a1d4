// SPDX-License-Identifier: Apache-2.0
// ViLMA's action counting from QUVA Repetition (docs/spec/vilma.md 7.2).
#pragma once

#include <filesystem>
#include <vector>

#include "snellen/builders/building.h"
#include "snellen/builders/vilma/counting_clips.h"
#include "snellen/builders/vilma/counting_sources.h"
#include "snellen/builders/vilma/counting_texts.h"
#include "snellen/builders/vilma/proposed_foils.h"

namespace snellen::builders::vilma {

struct CountingOptions {
  bool makes_easy = true;
  bool makes_hard = true;
  CountRule rule = {};
  uint64_t easy_seed = 101;
  uint64_t hard_seed = 102;
  uint64_t num_examples = 1000;  // of an instrument; divided by the number of videos, rounded down
  CountStyle style = CountStyle::kSpelled;
  // Makes wrong sentences for exercise videos that have none (7.4c) and writes the completed pool.
  bool adds_exercise_foils = false;
  // Asks a language model for wrong sentences about the videos that have none (7.4 a, b), before
  // that, and lets judges look at all of them (7.4d); the completed pool is written too.
  ProposedFoilOptions proposed = {};
  FoilJudges judges = {};
  // As the reference: videos are counted in normalized_videos, wrong counts are drawn from every
  // annotation of the folder, a video that cannot be used ends the build, and a foil may repeat its
  // caption.
  bool is_compat = false;
};

// Writes counting-{easy,hard}-{spelled,digits}-{pts,sec}.json and build.json into `out`. The bytes
// depend on the sources and the options alone.
builders::BuildReport build_counting(const CountingSources& sources,
                                     const CountingOptions& options,
                                     const std::filesystem::path& out,
                                     const builders::Workers& workers);

}  // namespace snellen::builders::vilma
