// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/settings.h"

namespace snellen::models::exec {

std::vector<config::Option> exec_options() {
  using config::option;
  using S = ExecSettings;
  return {
      option(&S::timeout_s,
             "exec-timeout",
             "longest time without an answer, in seconds, while answers are awaited")
          .above(0)
          .identity(false),
      option(&S::start_timeout_s,
             "exec-start-timeout",
             "longest time until the program is ready, in seconds")
          .above(0)
          .identity(false),
      option(&S::max_restarts, "exec-restarts", "how often a program that ended is started again")
          .range(0, 1000)
          .identity(false),
      option(&S::max_in_flight,
             "exec-in-flight",
             "requests that the program holds at the same time; does not change results")
          .range(1, 256)
          .identity(false),
      option(&S::frames,
             "frames",
             "cut clips to N frames, as PNG files (default: only for programs that want "
             "frames, then 8)")
          .range(1, 10'000),
      option(&S::wants_rows,
             "request-rows",
             "with --export-requests: ask for one row per visual and per text, for models that "
             "embed both sides")
          .identity(false),
      option(&S::texts_per_request,
             "request-texts",
             "with --export-requests: most texts in a request; 0: all texts of a question")
          .range(0, 1'000'000)
          .identity(false)};
}

}  // namespace snellen::models::exec
