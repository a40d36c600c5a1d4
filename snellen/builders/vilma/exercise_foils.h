// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "snellen/annotations/vilma/quva_templates.h"

namespace snellen::builders::vilma {

// The first noun phrase of a sentence of ViLMA's kind: "a man in red spins around." -> "a man". By
// rules (a determiner, what follows up to a preposition, a participle or a verb), not by a parser.
std::string first_noun_phrase(std::string_view sentence);

struct ExerciseFoilOptions {
  uint64_t seed = 42;
  size_t num_foils = 8;
  // Leaves "his" and "her" as they are, and sentences that occur twice or say what the caption
  // says.
  bool is_compat = false;
};

// Wrong sentences for exercise videos that the pool lacks: count-free sentences of other exercises
// with this caption's first noun phrase (docs/spec/vilma.md 7.4c). Videos that are in the pool stay
// as they are; templates with "same" are neither given foils nor used as such.
void add_exercise_foils(std::span<const annotations::QuvaVideo> videos,
                        const ExerciseFoilOptions& options,
                        annotations::QuvaFoilPool& pool);

}  // namespace snellen::builders::vilma
