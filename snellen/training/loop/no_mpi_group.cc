// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/error.h"
#include "snellen/training/loop/group.h"

namespace snellen::training {

std::unique_ptr<Group> join_mpi_group() {
  throw Error{ErrorCode::kUsage,
              "this build has no MPI",
              "",
              "build with -DSNELLEN_MPI=ON, or start one process"};
}

}  // namespace snellen::training
