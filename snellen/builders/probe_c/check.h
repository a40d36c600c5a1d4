// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/builders/build_record.h"
#include "snellen/builders/probe_c/caption_facts.h"
#include "snellen/builders/violations.h"

namespace snellen::builders::probe_c {

// A group of either split, in words.
struct SwitchWords {
  int64_t image1 = 0;
  std::string attribute1;
  std::string noun1;
  int64_t image2 = 0;
  std::string attribute2;
  std::string noun2;
};

struct BrokenRule {
  std::string rule;
  std::string what;
};

// The rules of docs/spec/probe.md 6.3 that the group breaks.
std::vector<BrokenRule> broken_rules(const CaptionFacts& facts,
                                     const SwitchWords& group,
                                     SwitchSplit split);

// Where the nouns of a build record come from.
NounSources nouns_of(const builders::BuildRecord& record);

// Every group of a built Probe-C against the captions.
builders::CheckReport check(const std::filesystem::path& folder,
                            const builders::BuildRecord& record,
                            const builders::Workers& workers);

}  // namespace snellen::builders::probe_c
