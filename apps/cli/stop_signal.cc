// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/stop_signal.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace snellen::cli {
namespace {

// Set by the signal handler, the one place where the system leaves no other way.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): see above
std::atomic<bool> stop_requested = false;

// Whatever does not look whether it should stop (an adapter that never says it is ready, one long
// forward) has this long; what was committed stays, so the call is resumable all the same.
constexpr unsigned kSecondsToStop = 20;

void end_now(int /*signal*/) {
  constexpr char kMessage[] =
      "snellen: did not stop by itself and was ended; what was done is kept\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  ::_exit(130);
}

void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
  std::signal(SIGALRM, end_now);
  ::alarm(kSecondsToStop);
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
