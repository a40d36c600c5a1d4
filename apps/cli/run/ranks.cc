// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/ranks.h"

#include <cstdlib>

#include <fmt/format.h>

#include "apps/cli/launch.h"
#include "snellen/run/stamp.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::cli {
namespace {

// How long the others may take to come home.
constexpr double kSecondsWhenFinished = 300;
constexpr double kSecondsWhenFailed = 3;
constexpr double kSecondsWhenStopped = 0.4;  // a launcher kills a second after its SIGTERM

}  // namespace

RankSession::RankSession(config::Options& options) : seconds_to_leave_(kSecondsWhenFailed) {
  const std::string wanted = options.get<run::RunSettings>().mpi;
  const dist::Launch launch = this_launch();
  if (wanted == "off") return;
  group_ = wanted == "on" ? dist::join_mpi_group() : dist::join_group(launch);
  if (group_->size() == 1) return;
  // For tests: what a rank on another kind of machine would say.
  const char* pretended = std::getenv("SNELLEN_TEST_INSTRUCTION_SET");
  ranks_.emplace(group_->link(),
                 pretended != nullptr ? pretended : run::instruction_set(),
                 launch.gpu_of(group_->local_rank()));
  if (options.get<tasks::SharedSettings>().num_workers == 0) {
    options.set("num-workers",
                std::to_string(dist::cores_per_rank(group_->local_size())),
                "the number of ranks on this machine");
  }
}

void RankSession::expect_alone(const char* what, const char* where, const char* hint) const {
  if (!ranks_) return;
  throw Error{ErrorCode::kUsage, fmt::format("ranks cannot share {}", what), where, hint};
}

void RankSession::set_end(run::Verdict verdict) {
  seconds_to_leave_ =
      verdict == run::Verdict::kInterrupted ? kSecondsWhenStopped : kSecondsWhenFinished;
}

RankSession::~RankSession() {
  if (!group_) return;
  try {
    (void)group_->leave(seconds_to_leave_);
  } catch (const Error&) {
    // As when ranks do not come in time: the launcher sees to the rest.
    seconds_to_leave_ = 0;
  }
}

}  // namespace snellen::cli
