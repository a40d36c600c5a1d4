// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/builders/building.h"
#include "snellen/builders/probe_c/builder.h"

namespace snellen::builders::probe_c {

// Where the nouns come from: one of the two is needed.
struct NounSources {
  std::filesystem::path objects;  // Visual Genome's objects.json: single-word names of 20 images
  std::filesystem::path nouns;    // a text file, one a line; two words are a compound
  uint64_t min_images = 20;       // of a name in objects.json
};

struct WordLists {
  std::vector<std::string> nouns;
  std::vector<std::string> compounds;
};

// The noun lexicon of docs/spec/probe.md 6.3: names of objects.json and COCO's one-word names, or
// the words of the file; compounds are COCO's two-word names and those of the file. Throws
// kNotFound when neither source is named.
WordLists read_word_lists(const NounSources& sources,
                          const builders::Workers& workers,
                          builders::BadRecords& bad);

// Writes data_compositional_switch.json, data_object_switch.json and build.json into `out`. The
// bytes depend on the sources and the options alone.
builders::BuildReport build(const std::filesystem::path& captions,
                            const NounSources& nouns,
                            const BuilderOptions& options,
                            const std::filesystem::path& out,
                            const builders::Workers& workers);

}  // namespace snellen::builders::probe_c
