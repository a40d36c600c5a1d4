// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/tasks/building/build_record.h"
#include "snellen/tasks/building/building.h"
#include "snellen/tasks/building/violations.h"

namespace snellen::tasks::relcomp {

// Every sample of a built RelComp against captions, Visual Genome and the rules of spec/probe.md
// 7.1: which images it may use, which split they belong to, and the rules of Probe-C and Probe-R.
building::CheckReport check(const std::filesystem::path& folder,
                            const building::BuildRecord& record,
                            const building::Workers& workers);

}  // namespace snellen::tasks::relcomp
