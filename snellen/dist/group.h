// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "snellen/dist/link.h"

namespace snellen::dist {

// The processes that mpirun or srun started together. One thread at a time, always the same.
class Group {
 public:
  virtual ~Group() = default;
  virtual Link& link() = 0;
  // Among the ranks on this machine.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;
  // Waits, sleeping, until every rank came here; messages that still arrive are thrown away. False
  // when some did not come in time: then the group stays open and the launcher ends them.
  virtual bool leave(double most_seconds) = 0;
};

bool has_mpi();
// "Open MPI v4.1.4", or that this build has none.
std::string mpi_support();
// Joins the group this process was started in; once a process. Throws kUsage in a build without
// MPI.
std::unique_ptr<Group> join_mpi_group();

}  // namespace snellen::dist
