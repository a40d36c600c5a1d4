// SPDX-License-Identifier: Apache-2.0
// ViLMA's change of state: four items of each described change (docs/spec/vilma.md 7.5).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/builders/building.h"
#include "snellen/builders/vilma/change_state_texts.h"
#include "snellen/builders/vilma/foil_judges.h"

namespace snellen::builders::vilma {

struct ChangeStateSources {
  // Items with `change_of_state`: an annotation file without captions, or a published one.
  std::filesystem::path data;
  // Other nouns for objects, by item id or by object ("the athlete"), for the proficiency pair; may
  // be empty: then items keep the pair they have. The first one that the judges let pass is taken.
  std::filesystem::path candidates;
};

// Short action captions with the noun of their object masked (7.7), for models that propose others.
// Captions that do not hold that noun exactly once have none.
struct StateGap {
  std::string id;        // of the item
  std::string sentence;  // "Someone cuts the [MASK]."
  std::string caption;
  std::string word;
};
std::vector<StateGap> state_gaps(const std::filesystem::path& data,
                                 const StateTextOptions& options);

// Writes change-state-{action,prestate,poststate,inverse}.json and build.json into `out`. All other
// keys of an item stay as they are; crowd votes stay only where the texts they were given for do.
builders::BuildReport build_change_state(const ChangeStateSources& sources,
                                         const StateTextOptions& options,
                                         const std::filesystem::path& out,
                                         const builders::Workers& workers,
                                         const FoilJudges& judges = {});

}  // namespace snellen::builders::vilma
