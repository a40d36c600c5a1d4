// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "snellen/training/probes/probe_question.h"

namespace snellen::training {

struct WorldProbeOptions {
  uint64_t seed = 0;  // of a world that nobody learns from
  uint64_t num_scenes = 1;
  bool is_naming_alone = false;
};

// Questions about scenes of the eyechart, at most one of a kind for each:
//   predicate  what the two do, against another predicate that is false of them
//   opposite   a relation against its inverse, of pairs of scenes in which it runs opposite ways
//   exchanged  against the same with the roles exchanged, of the same pairs
//   direction  both, and direction/KIND ("direction/chasing") each kind alone
//   colours    two things with their colours, against the colours exchanged
//   naming     which of all nouns is in the scene; any that is there is right
// Wrong predicates come from the stream "{seed}|train-probe|{scene}".
std::unique_ptr<ProbeSource> world_probe(const WorldProbeOptions& options);

}  // namespace snellen::training
