// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <thread>

namespace snellen {

// Of this machine; 1 where it does not tell.
inline unsigned num_cores() {
  return std::max(1U, std::thread::hardware_concurrency());
}

// As many threads as asked for; one per core where that is 0.
inline unsigned threads_or_cores(unsigned asked) {
  return asked > 0 ? asked : num_cores();
}

}  // namespace snellen
