// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/builders/build_record.h"
#include "snellen/builders/building.h"
#include "snellen/builders/violations.h"

namespace snellen::builders::probe_b {

struct CheckOptions {
  // Compare the pictures' pixels with the sources, not only their presence.
  bool with_pixels = true;
};

// Every group of a built Probe-B against COCO's instances, the pictures and the rules of
// docs/spec/probe.md 6.4-6.6. Pixels are compared block by block, within what JPEG changes.
builders::CheckReport check(const std::filesystem::path& folder,
                            const builders::BuildRecord& record,
                            const CheckOptions& options,
                            const builders::Workers& workers);

}  // namespace snellen::builders::probe_b
