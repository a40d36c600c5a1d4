// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "snellen/dist/link.h"
#include "snellen/dist/messages.h"

namespace snellen::dist {

using TakeSamples = std::function<void(std::vector<store::Sample>&&)>;
// Scores items and hands their samples over, all of them unless it is stopped.
using ScoreItems = std::function<void(
    const Items& items, const TakeSamples& take, const std::function<bool()>& is_stopped)>;

// A rank that is ready to work.
struct OpenedRank {
  std::string traits;  // for Hello
  ScoreItems score;
  std::function<Notes()> notes = {};  // asked for at the end
};

struct WorkerOptions {
  // Opens what the work needs. It and what it returns are called on one thread of the worker's own,
  // so that the rank keeps listening meanwhile.
  std::function<OpenedRank()> open;
  std::function<bool()> is_stopped = {};  // a signal came; asked from many threads
  double alive_every_s = 5;
};

// A rank's side: works for rank 0 until it is sent home. What ends its work is reported to rank 0,
// not thrown. Uses `link` on the calling thread alone; waits without using its core.
void work(Link& link, const WorkerOptions& options);

}  // namespace snellen::dist
