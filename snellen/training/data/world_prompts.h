// SPDX-License-Identifier: Apache-2.0
// Texts about scenes in the probes' wording, and which of them are false.
#pragma once

#include <string>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::training {

// Scene number `index` of a training world; every other one may hold a crowd, and pairs of nouns
// have no habits.
eyechart::Scene training_scene(uint64_t seed, uint64_t index);

// "A photo of a red cat." as Probe-C writes it.
std::string attribute_prompt(std::string_view attribute, std::string_view noun);

// Of a hundred texts, those that tell a relation.
constexpr uint64_t kUsualRelationPercent = 58;

// A caption, or one time in four a prompt, that is true of the scene.
std::string drawn_text(Rng& rng,
                       const eyechart::Scene& scene,
                       uint64_t relation_percent = kUsualRelationPercent);

// The index of a noun that is nowhere in the scene.
size_t absent_noun(Rng& rng, const eyechart::Scene& scene);

}  // namespace snellen::training
