// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "snellen/builders/build_record.h"
#include "snellen/builders/probe_r/facts.h"
#include "snellen/builders/violations.h"

namespace snellen::builders::probe_r {

// Foils of a relation: what is wrong with them for one reading of its prompt, each as rule and
// words.
struct FoilRules {
  uint64_t min_object_images = 20;
  uint64_t min_predicate_count = 1;
};

struct BrokenRule {
  std::string rule;
  std::string what;
};

// The three prompts of a relation of an image, read every way they can be read: the fewest rules
// that any reading breaks. `subjects` narrows the readings to this true and foil subject.
struct Subjects {
  std::string subject;
  std::string foil;
};
std::vector<BrokenRule> broken_rules(const Facts& facts,
                                     int64_t image,
                                     const std::string& prompt,
                                     const std::string& foil_subject_prompt,
                                     const std::string& foil_predicate_prompt,
                                     const FoilRules& rules,
                                     const std::optional<Subjects>& subjects = std::nullopt);

// The files of Visual Genome that a build record names.
VisualGenome genome_of(const builders::BuildRecord& record);

// Every group of a built Probe-R against Visual Genome and the rules of docs/spec/probe.md 6.2.
builders::CheckReport check(const std::filesystem::path& folder,
                            const builders::BuildRecord& record,
                            const builders::Workers& workers);

}  // namespace snellen::builders::probe_r
