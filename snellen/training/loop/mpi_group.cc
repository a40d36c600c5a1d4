// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include "snellen/dist/mpi_check.h"
#include "snellen/training/loop/group.h"

namespace snellen::training {
namespace {

class MpiGroup final : public Group {
 public:
  MpiGroup() {
    int level = 0;
    dist::check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "start");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    dist::check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "number the ranks");
    dist::check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size_), "count the ranks");
  }
  ~MpiGroup() override { MPI_Finalize(); }
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void add_up(std::span<float> values) override {
    dist::check_mpi(MPI_Allreduce(MPI_IN_PLACE,
                                  values.data(),
                                  static_cast<int>(values.size()),
                                  MPI_FLOAT,
                                  MPI_SUM,
                                  MPI_COMM_WORLD),
                    "add up");
  }

  std::vector<float> gather(std::span<const float> values) override {
    auto count = static_cast<int>(values.size());
    auto members = static_cast<size_t>(size_);
    std::vector<int> counts(members), places(members, 0);
    dist::check_mpi(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD),
                    "gather");
    for (size_t i = 1; i < members; ++i) places[i] = places[i - 1] + counts[i - 1];
    std::vector<float> all(static_cast<size_t>(places.back() + counts.back()));
    dist::check_mpi(MPI_Allgatherv(values.data(),
                                   count,
                                   MPI_FLOAT,
                                   all.data(),
                                   counts.data(),
                                   places.data(),
                                   MPI_FLOAT,
                                   MPI_COMM_WORLD),
                    "gather");
    return all;
  }

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

std::unique_ptr<Group> join_mpi_group() {
  return std::make_unique<MpiGroup>();
}

}  // namespace snellen::training
