// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace snellen::training {

// Processes that train one model together. Every member calls the same functions in the same order.
class Group {
 public:
  virtual ~Group() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // The sum over all members, in every member.
  virtual void add_up(std::span<float> values) = 0;
  // The values of all members one after the other, by rank. Members may give different counts.
  virtual std::vector<float> gather(std::span<const float> values) = 0;
};

// A process on its own.
class GroupOfOne final : public Group {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void add_up(std::span<float>) override {}
  std::vector<float> gather(std::span<const float> values) override {
    return {values.begin(), values.end()};
  }
};

// The processes that mpirun or srun started together, joined once a process. Throws kUsage in a
// build without MPI.
std::unique_ptr<Group> join_mpi_group();

}  // namespace snellen::training
