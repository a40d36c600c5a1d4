// SPDX-License-Identifier: Apache-2.0
// Replicates over threads. The work of a replicate may not depend on the thread or on other
// replicates.
#pragma once

#include <cstdint>
#include <functional>

namespace snellen::stats {

// Calls work(first, last) for adjacent ranges that together are [0, count), from up to num_threads
// threads (0 is taken as 1). Waits for all; an exception is rethrown here, the one of the lowest
// range first.
void for_ranges(uint64_t count,
                unsigned num_threads,
                const std::function<void(uint64_t first, uint64_t last)>& work);

}  // namespace snellen::stats
