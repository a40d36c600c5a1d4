// SPDX-License-Identifier: Apache-2.0
// Sentences that are true of a scene, in varied wording.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// "a red cat is to the left of a dog", one of several wordings; no capital, no full stop.
std::string relation_clause(Rng& rng, const Scene& scene, const Relation& relation);

// One caption: two thirds tell a relation, the others list things or name one.
std::string draw_caption(Rng& rng, const Scene& scene);
// The two kinds of them.
std::string draw_relation_caption(Rng& rng, const Scene& scene);
std::string draw_plain_caption(Rng& rng, const Scene& scene);

// Captions as COCO has them, from the stream "{seed}|eyechart-captions|{id}".
std::vector<std::string> captions_of(const Scene& scene, uint64_t seed, size_t count = 5);

}  // namespace snellen::eyechart
