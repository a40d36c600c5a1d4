// SPDX-License-Identifier: Apache-2.0
// A stretch of a Visual Genome file read on its own, so that many can be read at once.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "snellen/annotations/visual_genome/name_aliases.h"
#include "snellen/annotations/visual_genome/visual_genome.h"
#include "snellen/text/string_pool.h"

namespace snellen::builders::probe_r {

struct Triple {
  uint32_t subject;
  uint32_t predicate;
  uint32_t object;

  auto operator<=>(const Triple&) const = default;
};

struct CorpusAliases {
  annotations::NameAliases objects;
  annotations::NameAliases relationships;
};

struct ImageRows {
  int64_t id = 0;
  bool has_relationships = false;
  std::vector<uint32_t> names;  // sorted, unique
  std::vector<Triple> triples;  // unique, file order
};

// What one stretch of a file holds, in numbers of its own tables.
struct Stretch {
  text::StringPool names;
  text::StringPool predicates;
  std::vector<ImageRows> images;
  std::vector<Error> bad;
};

// Records begin..end-1. Safe from many threads.
Stretch read_relationships(const annotations::VgRelationshipsFile& file,
                           const CorpusAliases& aliases,
                           uint64_t begin,
                           uint64_t end);
Stretch read_objects(const annotations::VgObjectsFile& file,
                     const CorpusAliases& aliases,
                     uint64_t begin,
                     uint64_t end);

}  // namespace snellen::builders::probe_r
