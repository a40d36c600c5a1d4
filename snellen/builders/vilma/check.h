// SPDX-License-Identifier: Apache-2.0
// Every item of a built ViLMA set against its sources: what may be read off the item is looked up
// in them, without the builders' draws and sentence makers.
#pragma once

#include <filesystem>

#include "snellen/builders/build_record.h"
#include "snellen/builders/building.h"
#include "snellen/builders/violations.h"

namespace snellen::builders::vilma {

builders::CheckReport check_counting(const std::filesystem::path& folder,
                                     const builders::BuildRecord& record,
                                     const builders::Workers& workers);

builders::CheckReport check_change_state(const std::filesystem::path& folder,
                                         const builders::BuildRecord& record,
                                         const builders::Workers& workers);

builders::CheckReport check_rare_actions(const std::filesystem::path& folder,
                                         const builders::BuildRecord& record,
                                         const builders::Workers& workers);

}  // namespace snellen::builders::vilma
