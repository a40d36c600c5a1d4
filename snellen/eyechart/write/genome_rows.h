// SPDX-License-Identifier: Apache-2.0
// Scenes as Visual Genome 1.4 writes them (docs/spec/probe.md 6.2). Names vary as they do there
// ("sofa", "to the left of"); the alias files say which mean the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "snellen/eyechart/world/render.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

struct GenomeRows {
  std::string objects;
  std::string relationships;
  std::string attributes;
  std::string image_data;
};

// Ids of pictures that are COCO's as well carry the id they have there.
GenomeRows genome_rows(const Scene& scene,
                       const Picture& picture,
                       uint64_t seed,
                       std::optional<uint64_t> coco_id);

// Visual Genome's ids are no scene ids, so that nobody takes one for the other.
uint64_t genome_id(uint64_t scene_id);

std::string genome_object_aliases();
std::string genome_relationship_aliases();

}  // namespace snellen::eyechart
