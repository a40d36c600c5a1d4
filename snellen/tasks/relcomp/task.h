// SPDX-License-Identifier: Apache-2.0
// What the two tasks on RelComp share: the held-out samples and where their photos lie.
#pragma once

#include <filesystem>

#include "snellen/annotations/probe/relcomp_file.h"
#include "snellen/config/options.h"

namespace snellen::tasks::relcomp {

struct RelCompSettings {
  std::filesystem::path genome_images;  // empty: --root-image-dir
};
config::Block settings_block();

// relcomp_val.jsonl in the folder that --data names.
annotations::RelCompFile open_samples(const config::Options& options);

}  // namespace snellen::tasks::relcomp
