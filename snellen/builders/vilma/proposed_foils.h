// SPDX-License-Identifier: Apache-2.0
// Wrong sentences that language models propose for counting's proficiency pairs
// (docs/spec/vilma.md 7.4 a, b, d).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/vilma/quva_templates.h"
#include "snellen/builders/building.h"
#include "snellen/builders/vilma/foil_judges.h"

namespace snellen::builders::vilma {

// A sentence with "[MASK]" in the place of one of its words.
struct WordGap {
  std::string sentence;
  std::string word;
};

// The sentence with each noun masked that stands behind its subject with a determiner: "a man cuts
// a potato with a knife." -> a [MASK] with a knife, a potato with a [MASK]. By rules, not by a
// parser.
std::vector<WordGap> object_gaps(std::string_view sentence);

struct ProposedFoilOptions {
  // The sentences that a model gives for one; called from many threads.
  std::function<std::vector<std::string>(const std::string& caption)> propose;
  bool includes_exercises = false;
};

// Adds to the pool what the model gives for every template of the videos that the pool lacks, each
// sentence once and never the caption itself.
void add_proposed_foils(std::span<const annotations::QuvaVideo> videos,
                        const ProposedFoilOptions& options,
                        const Workers& workers,
                        annotations::QuvaFoilPool& pool);

// Leaves out the foils that do not pass, then entries without foils. Returns how many went.
size_t keep_passing_foils(std::span<const annotations::QuvaVideo> videos,
                          const FoilJudges& judges,
                          const Workers& workers,
                          annotations::QuvaFoilPool& pool);

}  // namespace snellen::builders::vilma
