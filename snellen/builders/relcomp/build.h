// SPDX-License-Identifier: Apache-2.0
// RelComp, the training set of the fine-tuning experiment (docs/spec/probe.md 7.1): the samples of
// Probe-C and Probe-R from photos that the probes do not show. Visual Genome and COCO share photos,
// so a photo is told by its COCO id: no compositional sample shows a photo of Visual Genome
// (Probe-R may show it, or a relational sample of the other split), and no relational sample shows
// one of val2014.
#pragma once

#include <filesystem>

#include "snellen/builders/building.h"
#include "snellen/builders/probe_c/build.h"
#include "snellen/builders/probe_r/build.h"

namespace snellen::builders::relcomp {

struct Sources {
  std::filesystem::path captions;  // captions_train2014.json
  probe_c::NounSources nouns;
  probe_r::VisualGenome visual_genome;
  std::filesystem::path image_data;  // Visual Genome's image_data.json: which photo is COCO's
  std::filesystem::path coco_val;    // a val2014 file with a list "images": photos the probes use
};

struct Options {
  uint64_t seed = 0;
  uint64_t object_switch_per_pair = 5;
  uint64_t min_object_images = 20;
  uint64_t min_predicate_count = 1;
};

// Writes relcomp_train.jsonl, relcomp_val.jsonl (a sample per line) and build.json into `out`. A
// sample is kept only when all its images fall in one split. The bytes depend on the sources and
// the options alone. Throws kInvalidInput when the captions name an image of val2014.
builders::BuildReport build(const Sources& sources,
                            const Options& options,
                            const std::filesystem::path& out,
                            const builders::Workers& workers);

}  // namespace snellen::builders::relcomp
