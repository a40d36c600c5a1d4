// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/builders/probe_r/build.h"
#include "snellen/config/option.h"

namespace snellen::cli {

// Where Visual Genome's files are: a folder, or each by its own flag.
struct GenomeFlags {
  std::string folder;
  std::string relationships;
  std::string objects;
  bool has_no_aliases = false;
};

// --visual-genome, --relationships, --objects, --no-aliases.
std::vector<config::Option> genome_options();
// Throws kUsage when neither the folder nor both files are named.
builders::probe_r::VisualGenome genome_of(const GenomeFlags& flags);

}  // namespace snellen::cli
