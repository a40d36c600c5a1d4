// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace snellen::run {

// Makes results 0..count-1 on several threads and hands them to `take` on the calling thread
// strictly in order, with at most a few results per thread waiting: memory does not grow with
// count, and what is taken does not depend on the number of threads. The lowest-numbered exception
// is rethrown after the results before it were taken. `is_stopped` is asked before each new result;
// what was already begun is still taken.
template <typename T>
void ordered_pipeline(uint64_t count,
                      unsigned num_threads,
                      const std::function<T(uint64_t)>& make,
                      const std::function<void(T&&)>& take,
                      const std::function<bool()>& is_stopped);

}  // namespace snellen::run

#include "snellen/run/pipeline_impl.h"
