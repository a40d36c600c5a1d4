// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "snellen/dist/launch.h"
#include "snellen/dist/link.h"

namespace snellen::dist {

// The processes that work together: those that mpirun or srun started, or one alone. One thread at
// a time, always the same. Of the collectives every rank calls the same ones in the same order.
class Group {
 public:
  // Where this process stands.
  struct Place {
    int rank = 0;
    int size = 1;
    int local_rank = 0;  // among the ranks on this machine
    int local_size = 1;
  };

  explicit Group(const Place& place) : place_(place) {}
  virtual ~Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  int rank() const { return place_.rank; }
  int size() const { return place_.size; }
  int local_rank() const { return place_.local_rank; }
  int local_size() const { return place_.local_size; }

  // Messages between any two.
  virtual Link& link() = 0;

  // The sum over all ranks, in every rank.
  virtual void sum(std::span<float> values) = 0;
  // The values of all ranks one after the other. Ranks may give different counts.
  virtual std::vector<float> gather(std::span<const float> values) = 0;
  // What rank 0 gives, in every rank. All give the same count.
  virtual void broadcast(std::span<char> bytes) = 0;
  // Returns when every rank has called it.
  virtual void barrier() = 0;

  // Waits, sleeping, until every rank came here; messages that still arrive are thrown away. False
  // when some did not come in time: then the group stays open and the launcher ends them. A process
  // that ends without it is a failed one to the launcher, which ends the others.
  virtual bool leave(double most_seconds) = 0;

 private:
  Place place_;
};

// The GPU of this process: each rank of a machine has its own; nothing for one on its own.
std::optional<int> gpu_of(const Launch& launch, const Group& group);

// Whether any rank says so, in every rank.
bool any_of(Group& group, bool here);

bool has_mpi();
// "Open MPI v4.1.4", or that this build has none.
std::string mpi_support();

// A process on its own.
std::unique_ptr<Group> group_of_one();
// Joins the processes that were started with this one, as MPI knows them; once per process. Throws
// kUsage in a build without MPI.
std::unique_ptr<Group> join_mpi_group();
// MPI's group where there may be one, else this process alone.
std::unique_ptr<Group> join_group(const Launch& launch);

}  // namespace snellen::dist
