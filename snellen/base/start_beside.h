// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <system_error>

namespace snellen {

// Begins the work on a thread of its own; where the system has none, it is done when its result is
// asked for.
template <typename Work>
auto start_beside(Work work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

}  // namespace snellen
