// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <malloc.h>

namespace snellen {

// Pictures come and go by the hundred kilobytes on many threads: memory that was given back to the
// system each time would be cleared and mapped each time. For the first lines of a main().
inline void keep_freed_memory() {
  constexpr int kKeptBytes = 1 << 28;
  mallopt(M_MMAP_THRESHOLD, kKeptBytes);
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
}

// Where one kind of work ends for good and another begins.
inline void give_back_freed_memory() {
  malloc_trim(0);
}

}  // namespace snellen
