// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <list>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "snellen/base/error.h"
#include "snellen/dist/backoff.h"
#include "snellen/dist/group.h"
#include "snellen/dist/mpi_check.h"

namespace snellen::dist {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTag = 1;

class Communicator {
 public:
  explicit Communicator(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  void free() { MPI_Comm_free(&comm_); }

  MPI_Comm get() const { return comm_; }
  int rank() const {
    int rank = 0;
    check_mpi(MPI_Comm_rank(comm_, &rank), "number the ranks");
    return rank;
  }
  int size() const {
    int size = 0;
    check_mpi(MPI_Comm_size(comm_, &size), "count the ranks");
    return size;
  }

 private:
  MPI_Comm comm_;
};

MPI_Comm all_ranks() {
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "join the ranks");
  return comm;
}

MPI_Comm ranks_of_this_machine() {
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(
      MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, /*key=*/0, MPI_INFO_NULL, &comm),
      "find the ranks of this machine");
  return comm;
}

class MpiLink : public Link {
 public:
  explicit MpiLink(const Communicator& all) : all_(all), rank_(all.rank()), size_(all.size()) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  // A synchronous send ends when its receiver has begun to take it, so that what is under way lies
  // at its sender and not in the receiver's memory.
  bool try_send(int to, std::string& message) override {
    SNELLEN_CHECK(message.size() <= kMostMessageBytes);
    reap();
    auto is_to = [&](const Sending& one) { return one.to == to; };
    auto num_under_way = std::count_if(sendings_.begin(), sendings_.end(), is_to);
    if (static_cast<size_t>(num_under_way) >= kMostUnderWay) return false;
    Sending& sending = sendings_.emplace_back(to, std::move(message));
    check_mpi(MPI_Issend(sending.bytes.data(),
                         static_cast<int>(sending.bytes.size()),
                         MPI_BYTE,
                         to,
                         kTag,
                         all_.get(),
                         &sending.request),
              "send");
    return true;
  }

  std::optional<Message> poll() override {
    reap();
    int is_there = 0;
    MPI_Message arrived = MPI_MESSAGE_NULL;
    MPI_Status status;
    check_mpi(MPI_Improbe(MPI_ANY_SOURCE, kTag, all_.get(), &is_there, &arrived, &status),
              "listen");
    if (is_there == 0) return std::nullopt;
    int size = 0;
    check_mpi(MPI_Get_count(&status, MPI_BYTE, &size), "measure a message");
    if (size < 0 || static_cast<size_t>(size) > kMostMessageBytes)
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("rank {} sends too much", status.MPI_SOURCE)};
    Message message{status.MPI_SOURCE, std::string(static_cast<size_t>(size), '\0')};
    check_mpi(MPI_Mrecv(message.bytes.data(), size, MPI_BYTE, &arrived, MPI_STATUS_IGNORE),
              "receive");
    return message;
  }

  // True when everything that was sent is being taken.
  bool is_quiet() {
    reap();
    return sendings_.empty();
  }

 private:
  struct Sending {
    Sending(int receiver, std::string&& message) : to(receiver), bytes(std::move(message)) {}
    int to;
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void reap() {
    for (auto one = sendings_.begin(); one != sendings_.end();) {
      int is_done = 0;
      check_mpi(MPI_Test(&one->request, &is_done, MPI_STATUS_IGNORE), "send");
      one = is_done != 0 ? sendings_.erase(one) : std::next(one);
    }
  }

  const Communicator& all_;
  int rank_;
  int size_;
  std::list<Sending> sendings_;  // a list: MPI holds the addresses
};

class MpiGroup : public Group {
 public:
  MpiGroup() : all_(all_ranks()), here_(ranks_of_this_machine()), link_(all_) {
    local_rank_ = here_.rank();
    local_size_ = here_.size();
  }

  Link& link() override { return link_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  bool leave(double most_seconds) override {
    Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                               std::chrono::duration<double>(most_seconds));
    // MPI_Finalize would wait with a busy core, and for messages that nobody reads.
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool has_come = false;
    int is_done = 0;
    Backoff backoff;
    while (is_done == 0) {
      if (Clock::now() > end) return false;
      while (link_.poll()) backoff.reset();
      if (!has_come && link_.is_quiet()) {
        check_mpi(MPI_Ibarrier(all_.get(), &barrier), "leave");
        has_come = true;
      }
      if (has_come) check_mpi(MPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE), "leave");
      if (is_done == 0) std::this_thread::sleep_for(backoff.next());
    }
    here_.free();
    all_.free();
    MPI_Finalize();
    return true;
  }

 private:
  Communicator all_;
  Communicator here_;
  MpiLink link_;
  int local_rank_ = 0;
  int local_size_ = 1;
};

}  // namespace

bool has_mpi() {
  return true;
}

std::string mpi_support() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int size = 0;
  MPI_Get_library_version(text.data(), &size);
  std::string version(text.data());
  return version.substr(0, version.find_first_of(",\n"));
}

std::unique_ptr<Group> join_mpi_group() {
  // All calls are made by the thread that joins.
  int level = 0;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "start");
  if (level < MPI_THREAD_FUNNELED)
    throw Error{ErrorCode::kUsage,
                "this MPI cannot be used by a program with threads",
                "--mpi",
                "use an MPI with MPI_THREAD_FUNNELED, or pass --mpi off"};
  return std::make_unique<MpiGroup>();
}

}  // namespace snellen::dist
