// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/tasks/building/build_record.h"
#include "snellen/tasks/building/building.h"
#include "snellen/tasks/building/violations.h"

namespace snellen::tasks::probe_b {

struct CheckOptions {
  // Compare the pictures' pixels with the sources, not only their presence.
  bool with_pixels = true;
};

// Every group of a built Probe-B against COCO's instances, the pictures and the rules of
// spec/probe.md 6.4-6.6. Pixels are compared block by block, within what JPEG changes.
building::CheckReport check(const std::filesystem::path& folder,
                            const building::BuildRecord& record,
                            const CheckOptions& options,
                            const building::Workers& workers);

}  // namespace snellen::tasks::probe_b
