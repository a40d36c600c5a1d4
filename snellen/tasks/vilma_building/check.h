// SPDX-License-Identifier: Apache-2.0
// Every item of a built ViLMA set against its sources: what may be read off the item is looked up
// in them, without the builders' draws and sentence makers.
#pragma once

#include <filesystem>

#include "snellen/tasks/building/build_record.h"
#include "snellen/tasks/building/building.h"
#include "snellen/tasks/building/violations.h"

namespace snellen::tasks::vilma_building {

building::CheckReport check_counting(const std::filesystem::path& folder,
                                     const building::BuildRecord& record,
                                     const building::Workers& workers);

building::CheckReport check_change_state(const std::filesystem::path& folder,
                                         const building::BuildRecord& record,
                                         const building::Workers& workers);

building::CheckReport check_rare_actions(const std::filesystem::path& folder,
                                         const building::BuildRecord& record,
                                         const building::Workers& workers);

}  // namespace snellen::tasks::vilma_building
