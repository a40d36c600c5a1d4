// SPDX-License-Identifier: Apache-2.0
// Stands in for mpi_group.cc in builds without MPI.
#include "snellen/base/error.h"
#include "snellen/dist/group.h"

namespace snellen::dist {

bool has_mpi() {
  return false;
}

std::string mpi_support() {
  return "this build has no MPI: runs use the threads of one machine";
}

std::unique_ptr<Group> join_mpi_group() {
  throw Error{ErrorCode::kUsage,
              "this build has no MPI",
              "--mpi",
              "build with -DSNELLEN_MPI=ON, or pass --mpi off and share the work with --shard i/n"};
}

}  // namespace snellen::dist
