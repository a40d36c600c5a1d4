// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "snellen/run/network/scorer.h"
#include "snellen/store/cache/row_cache.h"

namespace snellen::run {

// A scorer that asks the cache before it works and tells it afterwards: what any earlier run with
// the same model, machine and content has computed is not computed again. On the CPU the results
// are the same bytes whatever the cache holds, because a row does not depend on what shares its
// batch; on a GPU a job is taken from the cache as a whole or computed as a whole. `parts` and
// `cache` must outlive it.
std::unique_ptr<Scorer> make_remembering_scorer(std::unique_ptr<Scorer> inner,
                                                const NetworkParts& parts,
                                                store::RowCache& cache);

}  // namespace snellen::run
