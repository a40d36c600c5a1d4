// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/ranks.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "snellen/run/stamp.h"

namespace snellen::cli {
namespace {

// How long the others may take to come home.
constexpr double kSecondsWhenFinished = 300;
constexpr double kSecondsWhenFailed = 3;
constexpr double kSecondsWhenStopped = 0.4;  // a launcher kills a second after its SIGTERM

std::optional<int> number_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  std::string_view text(value);
  int number = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// How many processes the launcher started together; 1 without one. Slurm sets its variables for
// every program, so that they count only where it also offers the ranks a way to meet.
int launched_size() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (std::optional<int> size = number_from(variable)) return *size;
  }
  bool can_meet = std::getenv("PMIX_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr;
  return can_meet ? number_from("SLURM_STEP_NUM_TASKS").value_or(1) : 1;
}

// The GPU of a rank: each its own, in turns where there are fewer than ranks. The launcher may show
// a rank its own alone.
int gpu_of(int local_rank) {
  int count = 0;
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    count = static_cast<int>(config::split_list(visible).size());
  } else {
    std::error_code none;
    for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", none))
      count += static_cast<int>(!gpu.path().empty());
  }
  return count > 0 ? local_rank % count : local_rank;
}

// The cores of one rank: those it was bound to, else an equal share of all.
int cores_of_a_rank(int local_size) {
  cpu_set_t bound;
  CPU_ZERO(&bound);
  auto all = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  if (::sched_getaffinity(0, sizeof(bound), &bound) == 0 && CPU_COUNT(&bound) < all)
    return CPU_COUNT(&bound);
  return std::max(1, all / local_size);
}

}  // namespace

int launched_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (std::optional<int> rank = number_from(variable)) return *rank;
  }
  return 0;
}

std::optional<int> launched_gpu() {
  for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    if (std::optional<int> local_rank = number_from(variable)) return gpu_of(*local_rank);
  }
  return std::nullopt;
}

RankSession::RankSession(config::Options& options) : seconds_to_leave_(kSecondsWhenFailed) {
  const std::string& wanted = options.text("mpi");
  if (wanted == "off" || (wanted == "auto" && launched_size() <= 1)) return;
  group_ = dist::join_mpi_group();
  if (group_->link().size() == 1) return;
  // For tests: what a rank on another kind of machine would say.
  const char* pretended = std::getenv("SNELLEN_TEST_INSTRUCTION_SET");
  ranks_.emplace(group_->link(),
                 pretended != nullptr ? pretended : run::instruction_set(),
                 gpu_of(group_->local_rank()));
  if (options.integer("num-workers") == 0) {
    options.set("num-workers",
                std::to_string(cores_of_a_rank(group_->local_size())),
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
