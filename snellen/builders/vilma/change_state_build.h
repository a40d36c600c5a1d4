// SPDX-License-Identifier: Apache-2.0
// ViLMA's change of state: four items of each described change (spec/vilma.md 7.5).
#pragma once

#include <filesystem>

#include "snellen/builders/building.h"
#include "snellen/builders/vilma/change_state_texts.h"

namespace snellen::builders::vilma {

struct ChangeStateSources {
  // Items with `change_of_state`: an annotation file without captions, or a published one.
  std::filesystem::path data;
  // Other nouns for objects, by item id or by object ("the athlete"), for the proficiency pair; may
  // be empty: then items keep the pair they have.
  std::filesystem::path candidates;
};

// Writes change-state-{action,prestate,poststate,inverse}.json and build.json into `out`. All other
// keys of an item stay as they are; crowd votes stay only where the texts they were given for do.
builders::BuildReport build_change_state(const ChangeStateSources& sources,
                                         const StateTextOptions& options,
                                         const std::filesystem::path& out,
                                         const builders::Workers& workers);

}  // namespace snellen::builders::vilma
