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

namespace snellen::dist {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTag = 1;

// Throws kIo, saying what MPI could not do.
void check_mpi(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int size = 0;
  MPI_Error_string(code, text.data(), &size);
  throw Error{ErrorCode::kIo,
              fmt::format("MPI cannot {}: {}", doing, text.data()),
              "",
              "run the same command again to resume"};
}

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

template <typename T>
int count_of(std::span<T> values) {
  return static_cast<int>(values.size());
}

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
                  fmt::format("rank {} sent {} bytes, at most {} are taken",
                              status.MPI_SOURCE,
                              size,
                              kMostMessageBytes)};
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

// The two communicators, made before the group that is told its place by them.
struct Communicators {
  Communicator all{all_ranks()};
  Communicator here{ranks_of_this_machine()};

  Group::Place place() const { return {all.rank(), all.size(), here.rank(), here.size()}; }
};

class MpiGroup final : private Communicators, public Group {
 public:
  MpiGroup() : Group(Communicators::place()), link_(all) {}

  Link& link() override { return link_; }

  void sum(std::span<float> values) override {
    check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values), MPI_FLOAT, MPI_SUM, all.get()),
        "add up");
  }

  std::vector<float> gather(std::span<const float> values) override {
    int count = count_of(values);
    auto num_ranks = static_cast<size_t>(size());
    std::vector<int> counts(num_ranks), places(num_ranks, 0);
    check_mpi(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, all.get()), "gather");
    for (size_t i = 1; i < num_ranks; ++i) places[i] = places[i - 1] + counts[i - 1];
    std::vector<float> gathered(static_cast<size_t>(places.back() + counts.back()));
    check_mpi(MPI_Allgatherv(values.data(),
                             count,
                             MPI_FLOAT,
                             gathered.data(),
                             counts.data(),
                             places.data(),
                             MPI_FLOAT,
                             all.get()),
              "gather");
    return gathered;
  }

  void broadcast(std::span<char> bytes) override {
    check_mpi(MPI_Bcast(bytes.data(), count_of(bytes), MPI_BYTE, /*root=*/0, all.get()),
              "broadcast");
  }

  void barrier() override { check_mpi(MPI_Barrier(all.get()), "wait for all ranks"); }

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
        check_mpi(MPI_Ibarrier(all.get(), &barrier), "leave");
        has_come = true;
      }
      if (has_come) check_mpi(MPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE), "leave");
      if (is_done == 0) std::this_thread::sleep_for(backoff.next());
    }
    here.free();
    all.free();
    MPI_Finalize();
    return true;
  }

 private:
  MpiLink link_;
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
