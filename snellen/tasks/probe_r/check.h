// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "snellen/tasks/building/build_record.h"
#include "snellen/tasks/building/violations.h"
#include "snellen/tasks/probe_r/facts.h"

namespace snellen::tasks::probe_r {

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
VisualGenome genome_of(const building::BuildRecord& record);

// Every group of a built Probe-R against Visual Genome and the rules of spec/probe.md 6.2.
building::CheckReport check(const std::filesystem::path& folder,
                            const building::BuildRecord& record,
                            const building::Workers& workers);

}  // namespace snellen::tasks::probe_r
