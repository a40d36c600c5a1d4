// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/builders/build_record.h"
#include "snellen/builders/building.h"
#include "snellen/builders/violations.h"

namespace snellen::builders::relcomp {

// Every sample of a built RelComp against captions, Visual Genome and the rules of
// docs/spec/probe.md 7.1: which images it may use, which split they belong to, and the rules of
// Probe-C and Probe-R.
builders::CheckReport check(const std::filesystem::path& folder,
                            const builders::BuildRecord& record,
                            const builders::Workers& workers);

}  // namespace snellen::builders::relcomp
