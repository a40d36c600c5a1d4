// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/launch.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "snellen/base/parse_number.h"

namespace snellen::dist {
namespace {

std::optional<std::string> text_of(const Variables& variables, const char* name) {
  auto found = variables.find(name);
  return found == variables.end() ? std::nullopt : std::optional(found->second);
}

// The first of the variables that holds a whole number.
std::optional<int> number_of(const Variables& variables, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::string text = text_of(variables, name).value_or("");
    if (const std::optional<int> number = parse_number<int>(text)) return number;
  }
  return std::nullopt;
}

// Whether the launcher offers its processes a way to meet. Slurm sets its own variables for every
// program, and an MPI that finds no way ends the process, so that they alone do not count.
bool can_meet(const Variables& variables) {
  for (const char* name : {"PMIX_RANK",
                           "PMIX_NAMESPACE",
                           "PMIX_ID",
                           "PMI_RANK",
                           "PMI_FD",
                           "PMI_PORT",
                           "OMPI_COMM_WORLD_SIZE",
                           "OMPI_MCA_orte_ess_num_procs",
                           "OMPI_MCA_ess_base_jobid",
                           "PRTE_LAUNCHED"}) {
    if (variables.contains(name)) return true;
  }
  return false;
}

// How many processes were started together, where a variable tells it.
std::optional<int> num_launched(const Variables& variables) {
  std::optional<int> size =
      number_of(variables, {"OMPI_COMM_WORLD_SIZE", "OMPI_MCA_orte_ess_num_procs", "PMI_SIZE"});
  // A step of Slurm's; an mpirun inside it starts others, under a name space of its own.
  bool is_step = text_of(variables, "PMIX_NAMESPACE").value_or("").starts_with("slurm.");
  return size || !is_step ? size : number_of(variables, {"SLURM_STEP_NUM_TASKS"});
}

int count_items(const std::string& list) {
  if (list.empty()) return 0;
  return static_cast<int>(std::count(list.begin(), list.end(), ',')) + 1;
}

int num_gpus_of_machine() {
  int count = 0;
  std::error_code none;
  for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", none))
    count += static_cast<int>(!gpu.path().empty());
  return count;
}

}  // namespace

int Launch::gpu_of(int rank_on_machine) const {
  int count = num_visible_gpus ? *num_visible_gpus : num_gpus_of_machine();
  return count > 0 ? rank_on_machine % count : rank_on_machine;
}

Launch find_launch(const Variables& variables) {
  Launch launch;
  // Where no variable tells the number, MPI does.
  launch.may_be_group = can_meet(variables) && num_launched(variables).value_or(2) > 1;
  launch.rank =
      number_of(variables,
                {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "OMPI_MCA_ess_base_vpid"})
          .value_or(0);
  launch.local_rank =
      number_of(variables, {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"});
  if (std::optional<std::string> visible = text_of(variables, "CUDA_VISIBLE_DEVICES"))
    launch.num_visible_gpus = count_items(*visible);
  return launch;
}

int cores_per_rank(int num_local_ranks) {
  cpu_set_t bound;
  CPU_ZERO(&bound);
  auto all = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  if (::sched_getaffinity(0, sizeof(bound), &bound) == 0 && CPU_COUNT(&bound) < all)
    return CPU_COUNT(&bound);
  return std::max(1, all / num_local_ranks);
}

}  // namespace snellen::dist
