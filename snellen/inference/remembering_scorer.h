// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "snellen/inference/backend.h"
#include "snellen/inference/work_memory.h"
#include "snellen/store/cache/row_cache.h"

namespace snellen::inference {

// Where rows come from that need not be computed; each may be null.
struct RowSources {
  ProcessRows* memory = nullptr;      // what this process made, where asks come in parts
  store::RowCache* cache = nullptr;  // what any process made
};

// A scorer that asks before it works and tells afterwards: what this process, or any earlier run
// with the same model, machine and content, has computed is not computed again. On the CPU the
// results are the same bytes whatever the sources hold, because a row does not depend on what
// shares its batch; on a GPU a job is taken from the cache as a whole or computed as a whole.
// `parts` and the sources must outlive it.
std::unique_ptr<Backend> make_caching_backend(std::unique_ptr<Backend> inner,
                                                const NetworkParts& parts,
                                                const RowSources& sources);

}  // namespace snellen::inference
