// SPDX-License-Identifier: Apache-2.0
// Which of the processes that mpirun or srun started together this one is, as far as the launcher's
// variables tell it. MPI itself is asked for the rest (group.h).
#pragma once

#include <map>
#include <optional>
#include <string>

namespace snellen::dist {

// The environment of the process, or the part of it that is wanted; the library reads none itself.
using Variables = std::map<std::string, std::string>;

struct Launch {
  // More than one process may have been started together, and they can meet: MPI knows how many.
  bool may_be_group = false;
  int rank = 0;                   // before MPI is asked; 0 for a process on its own
  std::optional<int> local_rank;  // on this machine; none for a process on its own
  // GPUs that this process sees; nothing: all of the machine.
  std::optional<int> num_visible_gpus;

  // The GPU of a rank of this machine: each its own, in turns where there are fewer than ranks.
  int gpu_of(int rank_on_machine) const;
};

// Knows the variables of Open MPI (ORTE and PRRTE), PMIx, PMI (MPICH, Intel MPI) and Slurm.
Launch find_launch(const Variables& variables);

// The cores of one rank: those it was bound to, else an equal share of the machine's.
int cores_per_rank(int num_local_ranks);

}  // namespace snellen::dist
