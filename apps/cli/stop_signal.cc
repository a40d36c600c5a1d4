// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/stop_signal.h"

#include <atomic>
#include <csignal>

namespace snellen::cli {
namespace {

// Set by the signal handler, the one place where the system leaves no other way.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): see above
std::atomic<bool> stop_requested = false;

void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void stop_on_signals() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

bool is_stop_requested() {
  return stop_requested;
}

}  // namespace snellen::cli
