// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/builders/building.h"
#include "snellen/builders/probe_r/builder.h"

namespace snellen::builders::probe_r {

// Files of Visual Genome v1.4; an empty alias path means no aliases.
struct VisualGenome {
  std::filesystem::path relationships;
  std::filesystem::path objects;
  std::filesystem::path object_aliases;
  std::filesystem::path relationship_aliases;

  // By the published names in one folder; aliases where they are there.
  static VisualGenome in(const std::filesystem::path& folder);
};

// Reads what the builders of relations share. Throws kNotFound and kInvalidInput.
Corpus read_corpus(const VisualGenome& sources,
                   const builders::Workers& workers,
                   builders::BadRecords& bad);

// Writes relation_eval_subject.json and build.json into `out`. The bytes depend on the sources and
// the options alone.
builders::BuildReport build(const VisualGenome& sources,
                            const BuilderOptions& options,
                            const std::filesystem::path& out,
                            const builders::Workers& workers);

}  // namespace snellen::builders::probe_r
